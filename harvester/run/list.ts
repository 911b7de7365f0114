import { Fault } from "../fault.js";
import { commitPortion } from "./commit.js";
import { decideWatermark } from "../detect/watermark.js";
import { splitWindow } from "../detect/window.js";
import { readWindow } from "../protocols/bisect.js";
import type { ListEnd, PageEvent } from "../protocols/page-events.js";
import type { Cursor, UnfinishedList, Window } from "../record.js";
import { instant } from "../report/summary.js";
import { demandSet } from "./demand-set.js";
import { decide, type Decisions } from "./decide.js";
import { listedIdentifiers } from "./headers.js";
import { inOrder } from "./in-order.js";
import { portions, type Portion } from "./portions.js";
import type { SetTask } from "./task.js";
import type { OpenRun } from "./run.js";
import { stopIfAsked } from "./wire.js";

export interface ListResult {
  readonly cursor: Cursor;
  readonly end: ListEnd;
}

/** Portions judged ahead of the commit: reading, judging and writing overlap, and memory is bounded by it. */
const PORTIONS_AT_ONCE = 3;

/** Reads one window to its end and commits it portion by portion; the watermark moves with the last (law 1). */
export async function harvestWindow(
  run: OpenRun,
  task: SetTask,
  from: { readonly cursor: Cursor; readonly window: Window; readonly resume?: UnfinishedList },
): Promise<ListResult> {
  run.observe({ kind: "window", set: task.key.set, window: from.window, resumed: from.resume !== undefined });
  const events = readWindow({
    protocol: run.protocol,
    spec: run.source.spec,
    wire: task.wire,
    want: "records",
    window: from.window,
    set: task.key.set,
    granularity: task.capabilities.granularity,
    limits: run.source.spec.limits,
    resume: from.resume,
    split: (window) => splitWindow(window, task.capabilities),
  });
  const source = upTo(
    portions(events, (event) => {
      tell(run, event);
    }),
    run.quota,
  );
  let cursor = from.cursor;
  let end: ListEnd | undefined;
  for await (const { portion, decisions } of inOrder(source, (p) => judge(run, task, p), PORTIONS_AT_ONCE)) {
    end = portion.end;
    if (end !== undefined) await demandSet(run, task, end.received);
    cursor = nextCursor(run, task, { cursor, portion, window: from.window });
    // A list that is compared with the store counts when the removal guard has passed it (sweep.ts).
    const moves = portion.resume !== undefined || (end !== undefined && !task.stage);
    await commitPortion(run, { key: task.key, decisions, cursor: moves ? cursor : undefined });
    if (end === undefined) stopIfAsked(run.signal);
  }
  if (end === undefined) throw limitReached(run);
  return { cursor, end };
}

async function judge(
  run: OpenRun,
  task: SetTask,
  portion: Portion,
): Promise<{ portion: Portion; decisions: Decisions }> {
  const { set } = task.key;
  if (task.stage) await run.ledger.stageSweep(listedIdentifiers(portion.items));
  return { portion, decisions: await decide(run, portion.items, { set, tombstones: task.tombstones }) };
}

function nextCursor(
  run: OpenRun,
  task: SetTask,
  { cursor, portion, window }: { cursor: Cursor; portion: Portion; window: Window },
): Cursor {
  const now = instant(run.clock.now());
  if (portion.resume) return { ...cursor, unfinished: { ...portion.resume, storedAt: now } };
  const { end } = portion;
  if (end === undefined) return cursor;
  const { watermark, sweptAt } = cursor;
  if (!end.complete) return { watermark, sweptAt };
  const decision = decideWatermark({ current: watermark, window, windowTime: end.windowTime, now });
  if (decision.kind === "stay" && decision.reason !== "not-forward")
    run.observe({ kind: "warning", warning: { code: decision.reason, sentence: decision.sentence } });
  const after = decision.kind === "move" ? decision.to : watermark;
  if (!task.stage) run.observe({ kind: "watermark", set: task.key.set, before: watermark, after });
  return { watermark: after, sweptAt: task.countsAsSwept ? end.windowTime : sweptAt };
}

/** The records the quota allows; then it stops without an end, so that no cursor moves. */
export async function* upTo(
  source: AsyncGenerator<Portion, void, void>,
  quota: OpenRun["quota"],
): AsyncGenerator<Portion, void, void> {
  for await (const portion of source) {
    const { left } = quota;
    const { length } = portion.items;
    quota.left = Math.max(0, left - length);
    if (length > left || (length === left && portion.end === undefined)) {
      yield { items: portion.items.slice(0, left) };
      return;
    }
    yield portion;
  }
}

/** The end of a dry run that was limited: no fault, but no complete run either. */
export function limitReached(run: OpenRun): Fault {
  return new Fault("interrupted", {
    code: "LimitReached",
    sentence: `Stopped after ${(run.limit ?? 0).toString()} records, as asked.`,
  });
}

function tell(run: OpenRun, event: PageEvent): void {
  if (event.kind === "page")
    run.observe({
      kind: "page",
      received: event.received,
      listSize: event.end.listSize,
      token: event.end.token !== undefined,
    });
  if (event.kind === "restart") run.observe({ kind: "restart", reason: event.reason });
  if (event.kind !== "end") return;
  for (const warning of event.warnings) run.observe({ kind: "warning", warning });
}
