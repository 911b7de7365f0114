/**
 * A window whose list cannot be read to its end although the source is alive, because one record breaks its page or the
 * list is too large: the window is halved until the good parts are read; where one instant is left, its records are
 * fetched one by one, and the poisoned one costs only itself (law 2; cases C11, C18, C32).
 */
import { asFault, type Fault } from "../fault.js";
import type { Window } from "../record.js";
import type { Wire } from "./exchange.js";
import type { PageEvent } from "./page-events.js";
import { readPages } from "./pages.js";
import { readSingles, type SinglesJob } from "./singles.js";
import { WindowSum } from "./window-sum.js";

export interface WindowJob extends SinglesJob {
  /** The two halves of a window, touching; undefined: it cannot be halved any more (harvester/detect/window.ts). */
  readonly split: (window: Window) => readonly [Window, Window] | undefined;
  /** Parts of a window that may fail before the whole is given up. */
  readonly maxFailedParts?: number;
}

const MAX_FAILED_PARTS = 80;
/** In a row, without one record: from a whole history down to the second of a poisoned record are 30 halvings. */
const MAX_FRUITLESS_PARTS = 32;
/** Each of these costs the source, and us, minutes. */
const SLOW = new Set(["FirstByteTimeout", "IdleTimeout", "TooSlow", "RequestTimeout"]);
const COST_OF_SLOWNESS = 8;
/** Faults that a smaller question may avoid. */
const NARROWABLE = new Set([
  "ListTooLarge",
  "PageTooBig",
  "EnvelopeTooBig",
  "Malformed",
  "TokenUnusable",
  "DoctypeForbidden",
]);

/** Like `readPages`; a Fault is thrown only when narrowing did not help either. */
export async function* readWindow(job: WindowJob): AsyncGenerator<PageEvent, void, void> {
  const sum = new WindowSum(job.resume?.windowTime);
  let failed: Fault | undefined;
  try {
    for await (const event of readPages(job)) {
      if (event.kind === "page") sum.windowTime ??= event.end.responseDate;
      yield event;
    }
  } catch (thrown) {
    failed = asFault(thrown);
  }
  if (failed === undefined) return;
  if (!narrowable(failed) || !(await isAlive(job))) throw failed;
  yield {
    kind: "restart",
    scope: "window",
    reason: `${failed.message} The window is read in smaller parts.`,
  };
  yield* readParts(job, sum, failed);
  yield sum.end();
}

function narrowable(fault: Fault): boolean {
  return fault.kind === "transient" || fault.kind === "token-expired" || NARROWABLE.has(fault.code);
}

/** One small question before many: a source that is down is left in peace (law 6). */
async function isAlive(job: WindowJob): Promise<boolean> {
  const { identify } = job.protocol;
  try {
    await identify.read(await job.wire.send(identify.ask(job.spec)));
    return true;
  } catch {
    return false;
  }
}

type Outcome<T> = { readonly value: T } | { readonly fault: Fault };

/** Throttling is waited out as ever; anything else is tried so often only, as each part is a guess. */
function briefly(wire: Wire, most: number): Wire {
  async function attempt<T>(operation: (attempt: number) => Promise<T>): Promise<T> {
    const outcome = await wire.attempt<Outcome<T>>(async (tries) => {
      try {
        return { value: await operation(tries) };
      } catch (thrown) {
        const fault = asFault(thrown);
        if (tries < most || fault.kind === "throttled") throw fault;
        return { fault };
      }
    });
    if ("fault" in outcome) throw outcome.fault;
    return outcome.value;
  }
  return { send: (request) => wire.send(request), attempt };
}

async function* readParts(
  job: WindowJob,
  sum: WindowSum,
  first: Fault,
): AsyncGenerator<PageEvent, void, void> {
  const brief = { ...job, resume: undefined, budget: { ...job.budget, maxRestarts: 0 } };
  const list: WindowJob = { ...brief, wire: briefly(job.wire, 1) };
  const single: WindowJob = { ...brief, wire: briefly(job.wire, 2) };
  const waiting: Window[] = [...(job.split(job.window) ?? [])];
  if (waiting.length === 0) yield* readSingles(single, sum, first);
  const patience = new Patience(job.maxFailedParts ?? MAX_FAILED_PARTS);
  for (let window = waiting.shift(); window !== undefined; window = waiting.shift()) {
    const before = sum.received;
    const fault = yield* readPart({ ...list, window }, sum);
    if (sum.received > before) patience.helped();
    if (fault === undefined) continue;
    // Told is what the whole window ended with: a part is our own question, which nobody would recognise.
    if (!narrowable(fault)) throw fault;
    if (patience.isOver(fault)) throw first;
    waiting.unshift(...(yield* narrower({ ...single, window }, sum, fault)));
  }
}

/** The halves of a part that failed; none when it was read record by record instead. */
async function* narrower(
  part: WindowJob,
  sum: WindowSum,
  fault: Fault,
): AsyncGenerator<PageEvent, readonly Window[], void> {
  const halves = part.split(part.window);
  if (halves === undefined) yield* readSingles(part, sum, fault);
  return halves ?? [];
}

/** How long smaller and smaller questions are asked before the source counts as broken altogether (law 6). */
class Patience {
  #left: number;
  #inARow = 0;

  constructor(parts: number) {
    this.#left = parts;
  }

  helped(): void {
    this.#inARow = 0;
  }

  isOver({ code }: Fault): boolean {
    this.#left--;
    this.#inARow += SLOW.has(code) ? COST_OF_SLOWNESS : 1;
    return this.#left <= 0 || this.#inARow > MAX_FRUITLESS_PARTS;
  }
}

/** A part of the window as a list of its own; its tokens are not worth keeping. Its Fault, when it has one. */
async function* readPart(job: WindowJob, sum: WindowSum): AsyncGenerator<PageEvent, Fault | undefined, void> {
  try {
    for await (const event of readPages(job)) {
      if (event.kind === "end") sum.add(event);
      else if (event.kind === "page") yield { ...event, last: false, resume: undefined };
      // What a part tells twice is told twice: it is the same, and dropping anything here could drop a good part.
      else if (event.kind === "item") yield event;
    }
    return undefined;
  } catch (thrown) {
    return asFault(thrown);
  }
}
