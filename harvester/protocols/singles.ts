/** The records of one instant, fetched one by one, because one of them breaks every list it stands in (case C18). */
import { asFault, type Fault, type FaultKind } from "../fault.js";
import type { PageItem, RawRecord } from "../record.js";
import { exchange } from "./exchange.js";
import type { ListJob, PageEvent } from "./page-events.js";
import { readPages } from "./pages.js";
import type { WindowSum } from "./window-sum.js";

export interface SinglesJob extends ListJob {
  /** Records fetched one by one in one window. */
  readonly maxSingles?: number;
}

const MAX_SINGLES = 1000;
/** So many single records failing one after the other are not poison: the source is down. */
const MAX_FAILING_IN_A_ROW = 5;
/** What asking for one record may end with when the record is to blame. */
const POISON = new Set<FaultKind>(["transient", "protocol", "gone", "config"]);

/** The records of a window that cannot be halved any more, one by one. */
export async function* readSingles(
  job: SinglesJob,
  sum: WindowSum,
  why: Fault,
): AsyncGenerator<PageEvent, void, void> {
  let failing = 0;
  let items = 0;
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
    items++;
    yield { kind: "item", item };
  }
  // As good as a page: what comes after it may fail without taking these along.
  const end = { nothing: items === 0, warnings: [] };
  yield { kind: "page", end, ordinal: 1, items, received: items, last: false };
}

async function headersOf(job: SinglesJob, sum: WindowSum, why: Fault): Promise<readonly RawRecord[]> {
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
async function single(job: SinglesJob, identifier: string): Promise<PageItem | undefined> {
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
