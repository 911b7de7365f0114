/**
 * The loop over the pages of one list, once for all protocols: tokens, repeats, budgets, retries, completeness. It sends
 * nothing itself and has no clock: the wire is handed in.
 */
import { asFault } from "../fault.js";
import type { PageEnd } from "../record.js";
import { Turns } from "./exchange.js";
import { ListState, PageTally } from "./list-state.js";
import { defaultBudget, type ListJob, type PageEvent } from "./page-events.js";
import { present } from "./present.js";

export type { PageEvent } from "./page-events.js";

interface Page {
  readonly end: PageEnd;
  readonly tally: PageTally;
}

/**
 * Items as they arrive, a `page` event behind each page's last item, one `end` event at the end. Throws a Fault when the
 * list cannot be read to its end: `token-expired` after too many restarts, `list-loop`, or what sending and reading
 * threw when the wire gave up. Pages already told stay good.
 */
export async function* readPages(job: ListJob): AsyncGenerator<PageEvent, void, void> {
  const state = new ListState(job, { ...defaultBudget, ...job.budget });
  for (;;) {
    const page = yield* pageOrRestart(job, state);
    if (page === "again") continue;
    if (page === "finished") break;
    state.accept(page.end, page.tally);
    const { ordinal, received } = state;
    const items = page.tally.items;
    const last = page.end.token === undefined;
    yield present<PageEvent>({
      kind: "page",
      end: page.end,
      ordinal,
      items,
      received,
      last,
      resume: state.resumePoint(),
    });
    if (last) {
      yield state.end(page.end.nothing && received === 0);
      return;
    }
  }
  yield state.end(false);
}

/** `again`: the window begins anew; `finished`: the token was refused when nothing was missing any more. */
async function* pageOrRestart(
  job: ListJob,
  state: ListState,
): AsyncGenerator<PageEvent, Page | "again" | "finished", void> {
  try {
    return yield* pageWithRetries(job, state);
  } catch (thrown) {
    const fault = asFault(thrown);
    if (fault.kind !== "token-expired" || state.token === undefined) throw fault;
    if (state.hasAll) {
      state.warn(
        "token-after-end",
        "The source gave a token behind the end of the list and then refused it; everything announced had come.",
      );
      return "finished";
    }
    if (state.restarts >= (job.budget?.maxRestarts ?? defaultBudget.maxRestarts)) throw fault;
    state.restart();
    yield { kind: "restart", scope: "window", reason: fault.message };
    return "again";
  }
}

/** A page that breaks off is asked for again with the same token, which §3.5.1 of OAI-PMH makes safe (cases C78, C83). */
async function* pageWithRetries(job: ListJob, state: ListState): AsyncGenerator<PageEvent, Page, void> {
  const turns = new Turns(job.wire);
  try {
    for (;;) {
      await turns.next();
      const page = yield* onceOver(job, state, turns);
      if (page !== undefined) return page;
    }
  } finally {
    turns.done();
  }
}

/** Undefined: it broke off, and may be tried again. */
async function* onceOver(
  job: ListJob,
  state: ListState,
  turns: Turns,
): AsyncGenerator<PageEvent, Page | undefined, void> {
  const tally = new PageTally(job.window);
  try {
    return { end: yield* onePage(job, state, tally), tally };
  } catch (thrown) {
    turns.failed(thrown);
    await turns.next();
    if (tally.items > 0) yield { kind: "restart", scope: "page", reason: asFault(thrown).message };
    return undefined;
  }
}

async function* onePage(
  job: ListJob,
  state: ListState,
  tally: PageTally,
): AsyncGenerator<PageEvent, PageEnd, void> {
  const { want, window, set, granularity, protocol } = job;
  const question = present({ want, window, set, granularity, token: state.token });
  const response = await job.wire.send(protocol.list.ask(job.spec, question));
  const reader = protocol.list.read(response, question, job.limits);
  try {
    for (;;) {
      const next = await reader.next();
      if (next.done === true) return next.value;
      tally.add(next.value);
      yield { kind: "item", item: next.value };
    }
  } finally {
    // A consumer that stops in the middle must not leave the body open.
    await reader.return(undefined as never);
  }
}
