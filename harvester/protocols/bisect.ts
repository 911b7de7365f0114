/**
 * A window whose list cannot be read to its end although the source is alive, because one record breaks its page or the
 * list is too large: the window is halved until the good parts are read; where one instant is left, its records are
 * fetched one by one, and the poisoned one costs only itself (law 2; cases C11, C18, C32).
 */
import { asFault, type Fault, type FaultKind } from "../fault.js";
import type { Instant, PageItem, RawRecord, Warning, Window } from "../record.js";
import { exchange, type Wire } from "./exchange.js";
import type { ListEnd, ListJob, PageEvent } from "./page-events.js";
import { readPages } from "./pages.js";
import { present } from "./present.js";

export interface WindowJob extends ListJob {
  /** The two halves of a window, touching; undefined: it cannot be halved any more (harvester/detect/window.ts). */
  readonly split: (window: Window) => readonly [Window, Window] | undefined;
  /** Parts of a window that may fail before the whole is given up. */
  readonly maxFailedParts?: number;
  /** Records fetched one by one in one window. */
  readonly maxSingles?: number;
}

const MAX_FAILED_PARTS = 80;
/** In a row, without one record: from a whole history down to the second of a poisoned record are 30 halvings. */
const MAX_FRUITLESS_PARTS = 32;
/** Each of these costs the source, and us, minutes. */
const SLOW = new Set(["FirstByteTimeout", "IdleTimeout", "TooSlow", "RequestTimeout"]);
const COST_OF_SLOWNESS = 5;
const MAX_SINGLES = 1000;
/** So many single records failing one after the other are not poison: the source is down. */
const MAX_FAILING_IN_A_ROW = 5;
/** Faults that a smaller question may avoid. */
const NARROWABLE = new Set([
  "ListTooLarge",
  "PageTooBig",
  "EnvelopeTooBig",
  "Malformed",
  "TokenUnusable",
  "DoctypeForbidden",
]);

/** What asking for one record may end with when the record is to blame. */
const POISON = new Set<FaultKind>(["transient", "protocol", "gone", "config"]);

/** Like `readPages`; a Fault is thrown only when narrowing did not help either. */
export async function* readWindow(job: WindowJob): AsyncGenerator<PageEvent, void, void> {
  const sum = new Sum(job.resume?.windowTime);
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

/** What the parts add up to. */
class Sum {
  windowTime: Instant | undefined;
  #received = 0;
  #unnamed = 0;
  #complete = true;
  readonly #warnings = new Map<string, Warning>();
  /** Asked for one by one already: halves share their edge, and a poisoned record there is one record. */
  readonly singles = new Set<string>();

  constructor(windowTime: Instant | undefined) {
    this.windowTime = windowTime;
  }

  warn(warning: Warning): void {
    this.#warnings.set(warning.code, warning);
  }

  get received(): number {
    return this.#received;
  }

  addItem(): void {
    this.#received++;
  }

  add(end: ListEnd): void {
    this.#received += end.received;
    this.#unnamed += end.unnamed;
    this.#complete &&= end.complete;
    this.windowTime ??= end.windowTime;
    end.warnings.forEach((warning) => {
      this.warn(warning);
    });
  }

  end(): ListEnd {
    const [received, unnamed, complete, windowTime] = [
      this.#received,
      this.#unnamed,
      this.#complete,
      this.windowTime,
    ];
    const warnings = [...this.#warnings.values()];
    return present<ListEnd>({
      kind: "end",
      complete,
      nothing: received === 0,
      received,
      unnamed,
      windowTime,
      warnings,
    });
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

async function* readParts(job: WindowJob, sum: Sum, first: Fault): AsyncGenerator<PageEvent, void, void> {
  const brief: WindowJob = {
    ...job,
    resume: undefined,
    wire: briefly(job.wire, 1),
    budget: { ...job.budget, maxRestarts: 0 },
  };
  const patiently = { wire: briefly(job.wire, 2) };
  const waiting: Window[] = [...(job.split(job.window) ?? [])];
  if (waiting.length === 0) yield* readSingles({ ...brief, ...patiently }, sum, first);
  const patience = new Patience(job.maxFailedParts ?? MAX_FAILED_PARTS);
  for (let window = waiting.shift(); window !== undefined; window = waiting.shift()) {
    const part = { ...brief, window };
    const before = sum.received;
    const fault = yield* readPart(part, sum);
    if (sum.received > before) patience.helped();
    if (fault === undefined) continue;
    // Told is what the whole window ended with: a part is our own question, which nobody would recognise.
    if (patience.isOver(fault) || !narrowable(fault)) throw narrowable(fault) ? first : fault;
    const halves = job.split(window);
    if (halves === undefined) yield* readSingles({ ...part, ...patiently }, sum, fault);
    else waiting.unshift(...halves);
  }
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
async function* readPart(job: WindowJob, sum: Sum): AsyncGenerator<PageEvent, Fault | undefined, void> {
  try {
    for await (const event of readPages(job)) {
      if (event.kind === "end") sum.add(event);
      else yield event.kind === "page" ? { ...event, resume: undefined } : event;
    }
    return undefined;
  } catch (thrown) {
    return asFault(thrown);
  }
}

/** The records of a window that cannot be halved any more, one by one. */
async function* readSingles(job: WindowJob, sum: Sum, why: Fault): AsyncGenerator<PageEvent, void, void> {
  let failing = 0;
  for (const record of await headersOf(job, sum, why)) {
    if (sum.singles.has(record.header.identifier)) continue;
    sum.singles.add(record.header.identifier);
    const item = record.header.deleted ? record : await single(job, record.header.identifier);
    if (item === undefined) {
      sum.warn({
        code: "vanished",
        sentence: "A record was listed, but was gone when it was asked for; a later run will see.",
      });
      continue;
    }
    failing = item.kind === "broken" ? failing + 1 : 0;
    if (failing >= MAX_FAILING_IN_A_ROW) throw why;
    sum.addItem();
    yield { kind: "item", item };
  }
}

async function headersOf(job: WindowJob, sum: Sum, why: Fault): Promise<readonly RawRecord[]> {
  // Where the list of headers is what fails, there is nothing smaller to ask for.
  if (job.want === "headers") throw why;
  const headers: RawRecord[] = [];
  for await (const event of readPages({ ...job, want: "headers" })) {
    if (event.kind === "restart") headers.length = 0;
    if (event.kind === "item" && event.item.kind === "record") headers.push(event.item);
    if (headers.length > (job.maxSingles ?? MAX_SINGLES)) throw why;
    if (event.kind === "end") sum.add({ ...event, received: 0 });
  }
  return headers;
}

/** Undefined: gone meanwhile (case C44). A record its source cannot deliver costs itself alone. */
async function single(job: WindowJob, identifier: string): Promise<PageItem | undefined> {
  const { get } = job.protocol;
  try {
    return await exchange(job.wire, get.ask(job.spec, identifier), (response) =>
      get.read(response, job.limits),
    );
  } catch (thrown) {
    const fault = asFault(thrown);
    if (!POISON.has(fault.kind)) throw fault;
    const message = `The source cannot deliver this record: ${fault.message}`;
    return {
      kind: "broken",
      identifier,
      violation: { gate: "envelope", rule: "source-cannot-deliver", severity: "error", message },
      raw: Buffer.from(fault.detail.excerpt ?? "", "utf8"),
    };
  }
}
