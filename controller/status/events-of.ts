import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import { boundedText } from "../bounded-text.js";
import type { Condition } from "../object.js";
import type { FinishedRun } from "../run.js";
import type { ConditionType, EventReason } from "./vocabulary.js";

export interface StatusEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: EventReason;
  readonly message: string;
}

/** An event's message may have 1,024 bytes; a character may need four, few do. */
const MAX_MESSAGE = 900;

/** What two statuses are compared by. */
interface Change {
  readonly before: HarvestSourceStatus;
  readonly after: HarvestSourceStatus;
  readonly finished: readonly FinishedRun[];
}

/**
 * What people should be told of a change of the status: what went wrong, what came right, what somebody did. Nothing for
 * success after success, and nothing again while a state lasts. `previous` is what was written before, undefined for a new source.
 */
export function eventsOf(
  previous: HarvestSourceStatus | undefined,
  next: HarvestSourceStatus,
  finished: readonly FinishedRun[],
): readonly StatusEvent[] {
  const change = { before: previous ?? {}, after: next, finished };
  return [acceptance, request, blocked, outcome, staleness, brake, drift]
    .flatMap((tell) => tell(change))
    .map((event) => ({ ...event, message: boundedText(event.message, MAX_MESSAGE) }));
}

function acceptance({ before, after }: Change): readonly StatusEvent[] {
  const stalled = conditionOf(after, "Stalled");
  if (stalled !== undefined)
    return same(conditionOf(before, "Stalled"), stalled) ? [] : [warning("Stalled", stalled.message)];
  const ready = conditionOf(after, "Ready");
  if (ready?.reason === "ChildrenBlocked")
    return same(conditionOf(before, "Ready"), ready) ? [] : [warning("ChildrenBlocked", ready.message)];
  // Of a new source the condition says enough: an event each would be one write more for thousands of them.
  return ready?.status === "True" && conditionOf(before, "Ready")?.status === "False"
    ? [normal("Scheduled", ready.message)]
    : [];
}

function request({ before, after }: Change): readonly StatusEvent[] {
  const value = after.lastHandledRequestedAt;
  return value === undefined || value === before.lastHandledRequestedAt
    ? []
    : [normal("RequestHandled", `The request for a run "${value}" was handled.`)];
}

function blocked({ before, after }: Change): readonly StatusEvent[] {
  const now = conditionOf(after, "LastRunSucceeded");
  const was = conditionOf(before, "LastRunSucceeded");
  return now?.reason === "RunBlocked" && !same(was, now) ? [warning("RunBlocked", now.message)] : [];
}

/** Failing runs are told once for each reason, however many follow. */
function outcome({ before, after, finished }: Change): readonly StatusEvent[] {
  const last = finished.at(-1);
  if (last === undefined) return [];
  const failed = before.consecutiveFailures ?? 0;
  if (last.outcome === "complete") return success(before, last);
  return failed > 0 && before.lastRun?.code === last.code && before.lastRun?.outcome === last.outcome
    ? []
    : [warning("RunFailed", failureSentence(last, after.consecutiveFailures ?? 1))];
}

function success(before: HarvestSourceStatus, last: FinishedRun): readonly StatusEvent[] {
  const failed = before.consecutiveFailures ?? 0;
  if (failed > 0)
    return [
      normal(
        "RunRecovered",
        `Complete again after ${String(failed)} ${failed === 1 ? "run that was" : "runs that were"} not. ${last.message}`,
      ),
    ];
  return before.lastSuccessTime === undefined
    ? [normal("FirstRunComplete", `The first complete run: ${last.message}`)]
    : [];
}

function failureSentence(
  { outcome: how, code, message, remedy, jobName }: FinishedRun,
  times: number,
): string {
  const count = times > 1 ? `, ${String(times)} runs in a row` : "";
  const what = code === undefined ? how : `${how}, ${code}`;
  return [`Run ${jobName} was not complete (${what}${count}): ${message}`, remedy].join(" ").trim();
}

function staleness({ before, after }: Change): readonly StatusEvent[] {
  const fresh = conditionOf(after, "Fresh");
  return fresh?.status === "False" && conditionOf(before, "Fresh")?.status !== "False"
    ? [warning("Stale", fresh.message)]
    : [];
}

function brake({ before, after }: Change): readonly StatusEvent[] {
  const paused = conditionOf(after, "Paused");
  const was = conditionOf(before, "Paused");
  if (paused === undefined)
    return was === undefined ? [] : [normal("Resumed", "No brake is on any more: runs start by schedule.")];
  return same(was, paused) ? [] : [normal("Paused", paused.message)];
}

function drift({ before, after }: Change): readonly StatusEvent[] {
  const now = conditionOf(after, "Drifted");
  const was = conditionOf(before, "Drifted");
  if (now?.status === "True") return same(was, now) ? [] : [warning("DriftDetected", now.message)];
  return was?.status === "True"
    ? [
        normal(
          "DriftCleared",
          now?.message ??
            "Drift is not told any more: it is switched off, or nobody is known to deliver spec.",
        ),
      ]
    : [];
}

function conditionOf(status: HarvestSourceStatus, type: ConditionType): Condition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

function same(one: Condition | undefined, two: Condition): boolean {
  return one?.status === two.status && one.reason === two.reason && one.message === two.message;
}

function normal(reason: EventReason, message: string): StatusEvent {
  return { type: "Normal", reason, message };
}

function warning(reason: EventReason, message: string): StatusEvent {
  return { type: "Warning", reason, message };
}
