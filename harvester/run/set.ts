import { deletionPolicy, planSweep } from "../detect/deletions.js";
import { decideResume } from "../detect/resume.js";
import { planAfter, planWindows } from "../detect/window.js";
import type { Wire } from "../protocols/exchange.js";
import type { Capabilities, Cursor, UnfinishedList, Window } from "../record.js";
import { instant } from "../report/summary.js";
import { harvestWindow } from "./list.js";
import type { OpenRun } from "./run.js";
import { harvestSnapshot } from "./snapshot.js";
import { sweepSet, wholeList } from "./sweep.js";
import type { Listed, SetResult, SetTask } from "./task.js";

/** Harvests one set: its windows in order, then what the deletion policy asks for. */
export async function harvestSet(
  run: OpenRun,
  set: string,
  source: { readonly wire: Wire; readonly capabilities: Capabilities },
): Promise<void> {
  const { spec } = run.source;
  const key = { endpoint: spec.baseUrl, set, prefix: spec.metadataPrefix };
  const cursor = await run.ledger.loadCursor(key);
  const policy = deletionPolicy(spec.deletions.policy, source.capabilities.deletedRecord);
  const plan = planSweep({
    policy,
    mode: spec.delta.mode,
    sweepIntervalHours: spec.deletions.sweepIntervalHours,
    cursor,
    now: source.capabilities.serverTime,
  });
  const countsAsSwept = plan.kind === "none" && plan.countsAsSwept;
  const task: SetTask = {
    key,
    ...source,
    tombstones: policy.tombstones,
    countsAsSwept,
    stage: plan.kind === "by-list",
    start: cursor,
    proven: { exists: false },
  };
  if (task.stage) await run.ledger.dropSweep();
  const done = await (spec.delta.mode === "snapshot"
    ? harvestSnapshot(run, task, cursor)
    : harvestWindows(run, task, cursor));
  await sweepSet(run, task, { plan, ...done });
}

/** Shards in order: the watermark moves after each, so that partial progress survives (seed on catch-up). */
async function harvestWindows(run: OpenRun, task: SetTask, start: Cursor): Promise<SetResult> {
  const { windows, resume } = planLists(run, task, start);
  let cursor = start;
  let listed: Listed = { complete: true, count: 0 };
  for (const [i, window] of windows.entries()) {
    const result = await harvestWindow(run, task, { cursor, window, resume: i === 0 ? resume : undefined });
    cursor = result.cursor;
    const { complete, received, windowTime } = result.end;
    listed = {
      complete: listed.complete && wholeList(result.end),
      count: listed.count + received,
      time: listed.time ?? windowTime,
    };
    if (complete) continue;
    // A later window must not move the watermark over the hole.
    run.observe({
      kind: "incomplete",
      set: task.key.set,
      sentence: incompleteSentence(result.end.received, result.end.listSize),
    });
    break;
  }
  return { cursor, listed };
}

function planLists(
  run: OpenRun,
  task: SetTask,
  cursor: Cursor,
): { windows: readonly Window[]; resume?: UnfinishedList } {
  const { spec } = run.source;
  const question = { cursor, capabilities: task.capabilities, delta: spec.delta };
  const decision = decideResume(cursor, spec, instant(run.clock.now()));
  if (decision.kind === "anew" || run.limit !== undefined) return { windows: planWindows(question) };
  return { windows: planAfter(decision.list, question), resume: decision.list };
}

function incompleteSentence(received: number, listSize: number | undefined): string {
  const announced = listSize === undefined ? "" : ` of the ${listSize.toString()} it announced`;
  return `The source's list ended after ${received.toString()} records${announced}: it counts as incomplete, the watermark stays.`;
}
