import { describe, expect, it } from "vitest";
import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import { decideStatus } from "./decide-status.js";
import { eventsOf } from "./events-of.js";
import { acceptedVerdict, finishedRun, liveSource, noRuns, statusInput } from "./inputs-for-tests.js";
import type { StatusInput } from "./input.js";

const failure = finishedRun({
  jobName: "harvest-county-2",
  endTime: "2026-11-30T11:00:00Z",
  outcome: "failed",
  exitCode: 69,
  code: "UnknownHost",
  message: "gis.example.gov is not known.",
  remedy: "The next run tries again.",
});
const success = finishedRun({ jobName: "harvest-county-3", endTime: "2026-11-30T11:30:00Z" });
const blocked = { jobName: "j", jobUid: "u", requested: false, trouble: "Secret x is missing." };
const stalled = {
  kind: "stalled",
  reason: "ScheduleNeverRuns",
  message: "There is no 31 February.",
} as const;
const drift = { manager: "kubectl-patch", fields: [{ field: "spec.suspend", live: "true" }] };

/** What is told when a state of `before` becomes one of `then`. */
function told(before: Partial<StatusInput> | undefined, then: Partial<StatusInput>): readonly string[] {
  const previous = before && decideStatus(statusInput(before));
  const input = statusInput({ ...then, source: liveSource(previous, then.source?.spec) });
  const next = decideStatus(input);
  return eventsOf(previous, next, input.runs.finished).map(
    ({ type, reason, message }) => `${type} ${reason}: ${message}`,
  );
}

const runs = (...finished: (typeof failure)[]) => ({ runs: { finished, active: [] } });
const first = runs(finishedRun());

describe("eventsOf", () => {
  it.each([
    {
      name: "a new source",
      before: undefined,
      then: { now: new Date("2026-11-29T00:00:10Z") },
      expect: [],
    },
    {
      name: "a new source that is wrong",
      before: undefined,
      then: { verdict: stalled, now: new Date("2026-11-29T00:00:10Z") },
      expect: ["Warning Stalled: There is no 31 February."],
    },
    { name: "still wrong", before: { verdict: stalled }, then: { verdict: stalled }, expect: [] },
    {
      name: "wrong for another reason",
      before: { verdict: stalled },
      then: { verdict: { ...stalled, reason: "FairUseOverCeiling", message: "Too much." } },
      expect: ["Warning Stalled: Too much."],
    },
    {
      name: "put right",
      before: { verdict: stalled },
      then: {},
      expect: ["Normal Scheduled: Scheduled: runs every 6 hours, at minute 0 (Etc/UTC)."],
    },
    {
      name: "children come later",
      before: { verdict: { ...acceptedVerdict, childrenInPlace: false } },
      then: {},
      expect: ["Normal Scheduled: Scheduled: runs every 6 hours, at minute 0 (Etc/UTC)."],
    },
    {
      name: "a child is somebody else's",
      before: {},
      then: { verdict: { ...acceptedVerdict, childrenInPlace: false, childTrouble: "It is theirs." } },
      expect: ["Warning ChildrenBlocked: It is theirs."],
    },
    {
      name: "the first complete run",
      before: {},
      then: first,
      expect: ["Normal FirstRunComplete: The first complete run: All records of all windows were read."],
    },
    { name: "success after success", before: first, then: runs(success), expect: [] },
    {
      name: "failed for the first time",
      before: first,
      then: runs(failure),
      expect: [
        "Warning RunFailed: Run harvest-county-2 was not complete (failed, UnknownHost): gis.example.gov is not known. The next run tries again.",
      ],
    },
    {
      name: "failed again",
      before: runs(finishedRun(), failure),
      then: runs({ ...failure, jobName: "x", endTime: "2026-11-30T11:30:00Z" }),
      expect: [],
    },
    {
      name: "failed otherwise",
      before: runs(finishedRun(), failure),
      then: runs({
        ...failure,
        jobName: "x",
        endTime: "2026-11-30T11:30:00Z",
        code: "Forbidden",
        message: "403.",
        remedy: undefined,
      }),
      expect: ["Warning RunFailed: Run x was not complete (failed, Forbidden, 2 runs in a row): 403."],
    },
    {
      name: "recovered",
      before: runs(finishedRun(), failure),
      then: runs(success),
      expect: [
        "Normal RunRecovered: Complete again after 1 run that was not. All records of all windows were read.",
      ],
    },
    { name: "failed and recovered unseen", before: first, then: runs(failure, success), expect: [] },
    {
      name: "paused",
      before: first,
      then: { paused: { reason: "move" } },
      expect: ["Normal Paused: Paused by annotation until the annotation is taken off: move"],
    },
    {
      name: "still paused",
      before: { paused: { reason: "move" } },
      then: { paused: { reason: "move" } },
      expect: [],
    },
    {
      name: "resumed",
      before: { ...first, paused: { reason: "move" } },
      then: {},
      expect: ["Normal Resumed: No brake is on any more: runs start by schedule."],
    },
    {
      name: "drifted",
      before: { ...first, delivery: {} },
      then: { delivery: {}, drift },
      expect: ["Warning DriftDetected: spec was changed by kubectl-patch. spec.suspend: (absent) → true."],
    },
    { name: "still drifted", before: { ...first, drift }, then: { drift }, expect: [] },
    {
      name: "drift cleared",
      before: { ...first, drift },
      then: { delivery: {} },
      expect: ["Normal DriftCleared: spec is as it was delivered."],
    },
    {
      name: "nobody delivers any more",
      before: { ...first, drift },
      then: {},
      expect: [
        "Normal DriftCleared: Drift is not told any more: it is switched off, or nobody is known to deliver spec.",
      ],
    },
    {
      name: "a request",
      before: first,
      then: { handledRequestedAt: "2" },
      expect: ['Normal RequestHandled: The request for a run "2" was handled.'],
    },
    {
      name: "the same request",
      before: { ...first, handledRequestedAt: "2" },
      then: { handledRequestedAt: "2" },
      expect: [],
    },
    {
      name: "a run cannot begin",
      before: first,
      then: { runs: { finished: [], active: [blocked] } },
      expect: ["Warning RunBlocked: The run of Job j has not begun. Secret x is missing."],
    },
    {
      name: "stale",
      before: first,
      then: { now: new Date("2026-11-30T18:05:00Z") },
      expect: [
        "Warning Stale: No complete run since 2026-11-30T06:05:00Z; by its schedule one was expected by 2026-11-30T18:05:00Z.",
      ],
    },
    { name: "nothing", before: first, then: { runs: noRuns }, expect: [] },
  ])("$name", ({ before, then, expect: expected }) => {
    expect(told(before as Partial<StatusInput> | undefined, then as Partial<StatusInput>)).toEqual(expected);
  });

  it("fits into an event", () => {
    const next: HarvestSourceStatus = { lastHandledRequestedAt: "x".repeat(5000) };
    expect(eventsOf(undefined, next, [])[0]?.message).toHaveLength(900);
  });
});
