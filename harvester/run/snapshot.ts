import { mustFetch } from "../detect/classify.js";
import { exchange } from "../protocols/exchange.js";
import type { Cursor, PageItem, RawRecord } from "../record.js";
import { decide, noDecisions } from "./decide.js";
import { demandSet } from "./demand-set.js";
import { commitPortion } from "./commit.js";
import { listedIdentifiers, readHeaders } from "./headers.js";
import { limitReached, upTo } from "./list.js";
import { portions } from "./portions.js";
import type { OpenRun } from "./run.js";
import type { SetResult, SetTask } from "./task.js";
import { wholeList } from "./sweep.js";
import { stopIfAsked } from "./wire.js";

/**
 * delta.mode snapshot: for sources whose `from` cannot be trusted. All headers are listed, and only what is new or
 * carries another datestamp is fetched, one record after the other (one request in flight).
 */
export async function harvestSnapshot(run: OpenRun, task: SetTask, start: Cursor): Promise<SetResult> {
  const { set } = task.key;
  run.observe({ kind: "window", set, window: {}, resumed: false });
  let result: SetResult = { cursor: start, listed: { complete: false, count: 0 } };
  for await (const { items, end } of upTo(
    portions(readHeaders(run, task), () => undefined),
    run.quota,
  )) {
    if (task.stage) await run.ledger.stageSweep(listedIdentifiers(items));
    const decisions = await decide(run, await fetchChanged(run, task, items), {
      set,
      tombstones: task.tombstones,
    });
    await commitPortion(run, { key: task.key, decisions: { ...decisions, read: items.length } });
    const count = result.listed.count + items.length;
    result = {
      cursor: start,
      listed: { complete: end !== undefined && wholeList(end), count, time: end?.windowTime },
    };
    if (run.quota.left === 0 && end === undefined) throw limitReached(run);
    stopIfAsked(run.signal);
  }
  return settleSnapshot(run, task, result);
}

async function fetchChanged(run: OpenRun, task: SetTask, items: readonly PageItem[]): Promise<PageItem[]> {
  const records = items.filter((item) => item.kind === "record");
  const states = await run.ledger.loadStates(records.map((r) => r.header.identifier));
  const wanted: PageItem[] = items.filter((item) => item.kind === "broken" || item.header.deleted);
  for (const { header } of records) {
    if (!mustFetch(header, states.get(header.identifier), task.key.set)) continue;
    const record = await fetchRecord(run, task, header.identifier);
    // Undefined: it vanished between list and fetch, which is no deletion (case C44).
    if (record !== undefined) wanted.push(record);
  }
  return wanted;
}

function fetchRecord(run: OpenRun, task: SetTask, identifier: string): Promise<RawRecord | undefined> {
  const { spec } = run.source;
  return exchange(task.wire, run.protocol.get.ask(spec, identifier), (response) =>
    run.protocol.get.read(response, spec.limits),
  );
}

/** The watermark tells up to when the copy is true, for lag; the next snapshot does not read it. */
async function settleSnapshot(run: OpenRun, task: SetTask, { listed }: SetResult): Promise<SetResult> {
  const before = await run.ledger.loadCursor(task.key);
  if (!listed.complete || listed.time === undefined) {
    const sentence =
      "The source's list of headers was not complete: nothing is withdrawn, the watermark stays.";
    run.observe({ kind: "incomplete", set: task.key.set, sentence });
    return { cursor: before, listed };
  }
  const cursor = { ...before, watermark: listed.time };
  await demandSet(run, task, listed.count);
  // Compared with the store, it counts when the removal guard has passed it (sweep.ts).
  if (task.stage) return { cursor, listed };
  await commitPortion(run, { key: task.key, decisions: noDecisions, cursor });
  run.observe({ kind: "watermark", set: task.key.set, before: before.watermark, after: listed.time });
  return { cursor, listed };
}
