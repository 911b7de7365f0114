import { describe, expect, it } from "vitest";
import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import { decideStatus } from "./decide-status.js";
import { finishedRun, liveSource, noRuns, statusInput } from "./inputs-for-tests.js";
import { sameStatus } from "./same-status.js";
import { wakeAt } from "./wake-at.js";

const successful: HarvestSourceStatus = {
  lastSuccessTime: "2026-11-30T06:05:00Z",
  consecutiveFailures: 0,
  lastRun: { jobName: "harvest-county-1", endTime: "2026-11-30T06:05:00Z", outcome: "complete", exitCode: 0 },
};

describe("wakeAt", () => {
  const rest = finishedRun({
    jobName: "z",
    endTime: "2026-11-30T11:00:00Z",
    outcome: "failed",
    exitCode: 69,
    notBefore: "2026-11-30T15:00:00Z",
  });
  const late = new Date("2027-01-01T00:00:00Z");
  it.each([
    { name: "freshness runs out", given: {}, expect: "2026-11-30T18:05:00.000Z" },
    { name: "it has run out", given: { now: late }, expect: undefined },
    {
      name: "a rest ends before",
      given: { runs: { finished: [rest], active: [] } },
      expect: "2026-11-30T15:00:00.000Z",
    },
    {
      name: "a pause ends",
      given: { paused: { reason: "x", until: "2026-12-24T06:00:00Z" } },
      expect: "2026-12-24T06:00:00.000Z",
    },
    { name: "a pause without end", given: { paused: { reason: "x" } }, expect: undefined },
    {
      name: "a run is to be looked at again",
      given: { runs: { ...noRuns, lookAgainAt: "2026-11-30T12:00:20Z" } },
      expect: "2026-11-30T12:00:20.000Z",
    },
  ])("$name", ({ given, expect: expected }) => {
    const input = statusInput({ source: liveSource(successful), ...given });
    const status = decideStatus(input);
    const wake = wakeAt(input, status);
    expect(wake?.toISOString()).toBe(expected);
    // At that moment the status really is another (but for a run that only has to be looked at).
    if (wake === undefined || input.runs.lookAgainAt !== undefined) return;
    const paused = input.paused?.until === undefined ? input.paused : undefined;
    const then = decideStatus({ ...input, source: liveSource(status), runs: noRuns, now: wake, paused });
    expect(sameStatus(then, status)).toBe(false);
    const before = new Date(wake.getTime() - 1);
    expect(
      sameStatus(decideStatus({ ...input, source: liveSource(status), runs: noRuns, now: before }), status),
    ).toBe(true);
  });
});
