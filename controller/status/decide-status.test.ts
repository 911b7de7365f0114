import { describe, expect, it } from "vitest";
import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import type { ActiveRun } from "../run.js";
import { decideStatus } from "./decide-status.js";
import { acceptedVerdict, finishedRun, liveSource, noRuns, statusInput } from "./inputs-for-tests.js";
import type { StatusInput } from "./input.js";
import { sameStatus } from "./same-status.js";

function condition(status: HarvestSourceStatus, type: string) {
  return status.conditions?.find((one) => one.type === type);
}

function say(status: HarvestSourceStatus, type: string): string | undefined {
  const found = condition(status, type);
  return found && `${found.status} ${found.reason}: ${found.message}`;
}

const denied = finishedRun({
  outcome: "failed",
  exitCode: 77,
  code: "ClientCertRejected",
  message: "The server refused the certificate.",
  remedy: "Renew it.",
});
const failed = finishedRun({
  outcome: "failed",
  exitCode: 69,
  code: "UnknownHost",
  message: "gis.example.gov is not known.",
  remedy: "The next run tries again.",
});
const active: ActiveRun = { jobName: "harvest-county-2", jobUid: "j2", requested: false };
const stalledVerdict = {
  kind: "stalled",
  reason: "ScheduleNeverRuns",
  message: "There is no 31 February.",
} as const;
const successful: HarvestSourceStatus = {
  observedGeneration: 2,
  lastSuccessTime: "2026-11-30T06:05:00Z",
  consecutiveFailures: 0,
  lastRun: { jobName: "harvest-county-1", endTime: "2026-11-30T06:05:00Z", outcome: "complete", exitCode: 0 },
};

function after(
  status: HarvestSourceStatus,
  changes: Partial<StatusInput> = {},
  spec: object = {},
): HarvestSourceStatus {
  return decideStatus(statusInput({ source: liveSource(status, spec), ...changes }));
}

describe("decideStatus", () => {
  it("tells everything of a source that works", () => {
    const run = finishedRun({
      runId: "R1",
      counts: { read: 10 },
      totals: { records: 310, quarantined: 4 },
      cursors: [{ set: "", after: "2026-11-30T06:00:04Z" }],
      policyDigest: "d1",
    });
    const status = decideStatus(
      statusInput({
        runs: { finished: [run], active: [active] },
        delivery: { manager: "kustomize-controller", engine: "flux", revision: "main@sha1:abc" },
        nextRunTime: "2026-11-30T18:00:00Z",
        handledRequestedAt: "please",
      }),
    );
    const time = { lastTransitionTime: "2026-11-30T12:00:00Z", observedGeneration: 3 };
    expect(status).toEqual({
      observedGeneration: 3,
      summary: "Running",
      policyBundle: { name: "policy-1", digest: "abc" },
      installedSchedule: "0 */6 * * *",
      scheduleOffsetMinutes: 0,
      watermark: "2026-11-30T06:00:04Z",
      lastRun: {
        runId: "R1",
        jobName: "harvest-county-1",
        exitCode: 0,
        startTime: "2026-11-30T06:00:01Z",
        endTime: "2026-11-30T06:05:00Z",
        outcome: "complete",
        message: "All records of all windows were read.",
        counts: { read: 10 },
      },
      lastSuccessTime: "2026-11-30T06:05:00Z",
      nextRunTime: "2026-11-30T18:00:00Z",
      records: 310,
      quarantined: 4,
      consecutiveFailures: 0,
      policyDigest: "d1",
      activeRuns: 1,
      lastHandledRequestedAt: "please",
      delivery: { manager: "kustomize-controller", engine: "flux", revision: "main@sha1:abc" },
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "Scheduled",
          message: "Scheduled: runs every 6 hours, at minute 0 (Etc/UTC).",
          ...time,
        },
        {
          type: "LastRunSucceeded",
          status: "True",
          reason: "Complete",
          message: "All records of all windows were read.",
          ...time,
        },
        {
          type: "Fresh",
          status: "True",
          reason: "WithinSchedule",
          message:
            "The last complete run ended at 2026-11-30T06:05:00Z; the next is expected by 2026-11-30T18:05:00Z.",
          ...time,
        },
        {
          type: "Drifted",
          status: "False",
          reason: "AsDelivered",
          message: "spec is as it was delivered (main@sha1:abc).",
          ...time,
        },
      ],
    });
  });

  it.each([
    { name: "new", given: { now: new Date("2026-11-29T01:00:00Z") }, expect: "Waiting" },
    {
      name: "running for the first time",
      given: { now: new Date("2026-11-29T01:00:00Z"), runs: { finished: [], active: [active] } },
      expect: "Running",
    },
    { name: "first run late", given: { now: new Date("2026-12-05T00:00:00Z") }, expect: "Stale" },
    { name: "complete", given: { runs: { finished: [finishedRun()], active: [] } }, expect: "Fresh" },
    { name: "failed", given: { runs: { finished: [failed], active: [] } }, expect: "Failing(1)" },
    {
      name: "failed and running",
      given: { runs: { finished: [failed], active: [active] } },
      expect: "Failing(1)",
    },
    { name: "denied", given: { runs: { finished: [denied], active: [active] } }, expect: "Denied" },
    {
      name: "asked for quiet",
      given: { runs: { finished: [{ ...failed, notBefore: "2026-11-30T19:00:00Z" }], active: [] } },
      expect: "Resting",
    },
    {
      name: "the quiet is over",
      given: { runs: { finished: [{ ...failed, notBefore: "2026-11-30T12:00:00Z" }], active: [] } },
      expect: "Failing(1)",
    },
    {
      name: "blocked",
      given: { runs: { finished: [denied], active: [{ ...active, trouble: "No." }] } },
      expect: "Blocked",
    },
    {
      name: "children missing",
      given: { verdict: { ...acceptedVerdict, childrenInPlace: false } },
      expect: "Installing",
    },
    {
      name: "paused",
      given: { paused: { reason: "move" }, runs: { finished: [failed], active: [] } },
      expect: "Paused",
    },
    {
      name: "suspended and paused",
      given: { source: liveSource(undefined, { suspend: true }), paused: { reason: "move" } },
      expect: "Suspended",
    },
    {
      name: "stalled before all",
      given: { source: liveSource(undefined, { suspend: true }), verdict: stalledVerdict },
      expect: "Stalled",
    },
    {
      name: "drifted, else fine",
      given: { source: liveSource(successful), drift: { manager: "kubectl-patch" } },
      expect: "Drifted",
    },
    {
      name: "stale rather than drifted",
      given: {
        source: liveSource(successful),
        drift: { manager: "kubectl-patch" },
        now: new Date("2026-11-30T18:05:00Z"),
      },
      expect: "Stale",
    },
  ])("summary: $name", ({ given, expect: expected }) => {
    expect(decideStatus(statusInput(given as Partial<StatusInput>)).summary).toBe(expected);
  });

  it.each([
    {
      name: "offset",
      given: { verdict: { ...acceptedVerdict, installed: { schedule: "7 1 * * *", offsetMinutes: 7 } } },
      type: "Ready",
      expect: "True Scheduled: Scheduled: runs every day at 01:07 (Etc/UTC), 7 minutes later than written.",
    },
    {
      name: "stalled",
      given: { verdict: stalledVerdict },
      type: "Ready",
      expect: "False ScheduleNeverRuns: There is no 31 February.",
    },
    {
      name: "stalled",
      given: { verdict: stalledVerdict },
      type: "Stalled",
      expect: "True ScheduleNeverRuns: There is no 31 February.",
    },
    {
      name: "a reason the API server would refuse",
      given: { verdict: { ...stalledVerdict, reason: "not a reason!" } },
      type: "Stalled",
      expect: "True NotAccepted: There is no 31 February.",
    },
    { name: "not stalled", given: {}, type: "Stalled", expect: undefined },
    { name: "not reconciling", given: {}, type: "Reconciling", expect: undefined },
    {
      name: "children pending",
      given: { verdict: { ...acceptedVerdict, childrenInPlace: false } },
      type: "Reconciling",
      expect: "True ChildrenPending: Its CronJob, ConfigMap or NetworkPolicy is not in place yet.",
    },
    {
      name: "children blocked",
      given: {
        verdict: { ...acceptedVerdict, childrenInPlace: false, childTrouble: "CronJob x is Helm's." },
      },
      type: "Ready",
      expect: "False ChildrenBlocked: CronJob x is Helm's.",
    },
    {
      name: "suspended",
      given: { source: liveSource(undefined, { suspend: true }) },
      type: "Ready",
      expect:
        "True Suspended: Accepted, but spec.suspend is true: no run starts by itself. Scheduled: runs every 6 hours, at minute 0 (Etc/UTC).",
    },
    {
      name: "paused",
      given: { paused: { reason: "move" } },
      type: "Ready",
      expect: "True Paused: Accepted, but paused. Scheduled: runs every 6 hours, at minute 0 (Etc/UTC).",
    },
    { name: "not paused", given: {}, type: "Paused", expect: undefined },
    {
      name: "paused",
      given: { paused: { reason: "move", until: "2026-12-24T06:00:00Z" } },
      type: "Paused",
      expect: "True PausedByAnnotation: Paused by annotation until 2026-12-24T06:00:00Z: move",
    },
    {
      name: "paused, problem",
      given: { paused: { reason: "move", problem: "no time" } },
      type: "Paused",
      expect:
        "True PausedByAnnotation: Paused by annotation until the annotation is taken off: move (no time)",
    },
    {
      name: "suspended",
      given: { source: liveSource(undefined, { suspend: true }), paused: { reason: "move" } },
      type: "Paused",
      expect:
        "True SuspendedInSpec: spec.suspend is true. Paused by annotation until the annotation is taken off: move",
    },
    {
      name: "no run",
      given: {},
      type: "LastRunSucceeded",
      expect: "Unknown NoRunYet: No run has ended yet.",
    },
    {
      name: "denied",
      given: { runs: { finished: [denied], active: [] } },
      type: "LastRunSucceeded",
      expect: "False ClientCertRejected: The server refused the certificate. Renew it.",
    },
    {
      name: "without a code",
      given: { runs: { finished: [finishedRun({ outcome: "refused", message: "No." })], active: [] } },
      type: "LastRunSucceeded",
      expect: "False Refused: No.",
    },
    {
      name: "blocked",
      given: { runs: { finished: [denied], active: [{ ...active, trouble: "Secret x is missing." }] } },
      type: "LastRunSucceeded",
      expect: "Unknown RunBlocked: The run of Job harvest-county-2 has not begun. Secret x is missing.",
    },
    {
      name: "within the first interval",
      given: { now: new Date("2026-11-29T05:59:59Z") },
      type: "Fresh",
      expect: "Unknown NoSuccessYet: The first complete run is expected by 2026-11-29T06:00:00Z.",
    },
    {
      name: "never",
      given: { now: new Date("2026-11-29T06:00:00Z") },
      type: "Fresh",
      expect:
        "False NeverSucceeded: No run has been complete yet; the first was expected by 2026-11-29T06:00:00Z.",
    },
    {
      name: "overdue",
      given: { source: liveSource(successful), now: new Date("2026-11-30T18:05:00Z") },
      type: "Fresh",
      expect:
        "False Overdue: No complete run since 2026-11-30T06:05:00Z; by its schedule one was expected by 2026-11-30T18:05:00Z.",
    },
    {
      name: "held",
      given: {
        source: liveSource(successful),
        now: new Date("2027-01-01T00:00:00Z"),
        paused: { reason: "x" },
      },
      type: "Fresh",
      expect:
        "Unknown Paused: No run is expected while the source is held; of the complete runs the last ended at 2026-11-30T06:05:00Z.",
    },
    {
      name: "a schedule that never comes",
      given: {
        source: liveSource(successful),
        verdict: { ...acceptedVerdict, installed: { schedule: "0 0 31 2 *", offsetMinutes: 0 } },
      },
      type: "Fresh",
      expect: "Unknown NoSchedule: Its schedule cannot be read or does not come round often enough to tell.",
    },
    { name: "untracked", given: {}, type: "Drifted", expect: undefined },
    {
      name: "delivered",
      given: { delivery: {} },
      type: "Drifted",
      expect: "False AsDelivered: spec is as it was delivered.",
    },
    {
      name: "drifted",
      given: {
        delivery: {},
        drift: {
          manager: "kubectl-patch",
          time: "2026-11-30T09:00:00Z",
          fields: [
            { field: "spec.suspend", live: "true" },
            { field: "spec.schedule", delivered: '"0 1 * * *"', live: '"0 2 * * *"' },
            { field: "spec.sets", delivered: '["a"]' },
            { field: "spec.timeZone", live: '"CET"' },
          ],
          moreFields: 2,
        },
      },
      type: "Drifted",
      expect:
        'True SpecChanged: spec was changed by kubectl-patch at 2026-11-30T09:00:00Z. spec.suspend: (absent) → true; spec.schedule: "0 1 * * *" → "0 2 * * *"; spec.sets: ["a"] → (absent); and 3 more.',
    },
  ])("$type: $name", ({ given, type, expect: expected }) => {
    expect(say(decideStatus(statusInput(given as Partial<StatusInput>)), type)).toBe(expected);
  });

  it.each([failed, denied, { ...failed, exitCode: undefined, code: "PodVanished" }])(
    "a dead agency never makes a source un-Ready ($code)",
    (run) => {
      const runs = Array.from({ length: 50 }, (_, day) => ({
        ...run,
        jobName: `j${String(day)}`,
        endTime: new Date(Date.UTC(2026, 10, 30, 6 + day)).toISOString(),
      }));
      const status = after(successful, {
        runs: { finished: runs, active: [{ ...active, trouble: "Secret x is missing." }] },
        now: new Date("2027-01-30T12:00:00Z"),
      });
      expect(condition(status, "Ready")?.status).toBe("True");
      expect(condition(status, "Stalled")).toBeUndefined();
      expect(condition(status, "Reconciling")).toBeUndefined();
      expect(status.consecutiveFailures).toBe(50);
      expect(status.observedGeneration).toBe(3);
    },
  );

  it("moves observedGeneration only when the generation was judged", () => {
    const pending = { ...acceptedVerdict, childrenInPlace: false };
    expect(decideStatus(statusInput({ verdict: pending })).observedGeneration).toBe(-1);
    expect(after({ observedGeneration: 2 }, { verdict: pending }).observedGeneration).toBe(2);
    expect(after({ observedGeneration: 2 }, { verdict: stalledVerdict }).observedGeneration).toBe(3);
    expect(after({ observedGeneration: 2 }).observedGeneration).toBe(3);
  });

  it("moves lastTransitionTime only when a status flips", () => {
    const first = decideStatus(statusInput({ runs: { finished: [failed], active: [] } }));
    const second = after(first, {
      now: new Date("2026-11-30T12:30:00Z"),
      runs: { finished: [{ ...denied, jobName: "z", endTime: "2026-11-30T12:20:00Z" }], active: [] },
    });
    expect(condition(second, "LastRunSucceeded")).toMatchObject({
      reason: "ClientCertRejected",
      lastTransitionTime: "2026-11-30T12:00:00Z",
    });
    const third = after(second, {
      now: new Date("2026-11-30T13:00:00Z"),
      runs: { finished: [finishedRun({ jobName: "zz", endTime: "2026-11-30T12:55:00Z" })], active: [] },
    });
    expect(condition(third, "LastRunSucceeded")).toMatchObject({
      status: "True",
      lastTransitionTime: "2026-11-30T13:00:00Z",
    });
  });

  it("keeps what was installed while a source is stalled, and what it knew of runs", () => {
    const before = after(successful);
    const status = after({ ...before, records: 7 }, { verdict: stalledVerdict });
    expect(status).toMatchObject({
      installedSchedule: "0 */6 * * *",
      scheduleOffsetMinutes: 0,
      policyBundle: { name: "policy-1" },
      records: 7,
      lastSuccessTime: "2026-11-30T06:05:00Z",
    });
  });

  it("tells no next run of a source that is held", () => {
    const nextRunTime = "2026-11-30T18:00:00Z";
    expect(after({}, { nextRunTime, paused: { reason: "x" } }).nextRunTime).toBeUndefined();
    expect(after({}, { nextRunTime }, { suspend: true }).nextRunTime).toBeUndefined();
    expect(after({}, { nextRunTime }).nextRunTime).toBe(nextRunTime);
  });

  it("keeps the quiet the source asked for until a complete run or its end", () => {
    const quiet = after(
      {},
      { runs: { finished: [{ ...failed, notBefore: "2026-11-30T19:00:00Z" }], active: [] } },
    );
    const killed = { ...failed, jobName: "z", endTime: "2026-11-30T12:01:00Z" };
    expect(after(quiet, { runs: { finished: [killed], active: [] } }).notBefore).toBe("2026-11-30T19:00:00Z");
    const good = { ...finishedRun(), jobName: "z", endTime: "2026-11-30T12:01:00Z" };
    expect(after(quiet, { runs: { finished: [good], active: [] } }).notBefore).toBeUndefined();
    expect(after(quiet, { now: new Date("2026-11-30T19:00:00Z") }).notBefore).toBeUndefined();
  });

  it("is the same a while later, so that nothing is written", () => {
    const first = decideStatus(statusInput({ runs: { finished: [failed, denied], active: [active] } }));
    const second = after(first, {
      now: new Date("2026-11-30T12:59:59Z"),
      runs: { ...noRuns, active: [active] },
    });
    expect(second).toEqual(first);
    expect(sameStatus(first, second)).toBe(true);
  });
});
