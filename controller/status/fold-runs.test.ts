import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import type { KubeObject } from "../object.js";
import { readRuns } from "../runs/read-runs.js";
import { decideStatus } from "./decide-status.js";
import { liveSource, statusInput } from "./inputs-for-tests.js";

const now = new Date("2026-12-10T00:00:00Z");
const outcomes = ["complete", "partial", "failed", "refused", "interrupted"] as const;

interface Given {
  readonly minute: number;
  readonly outcome: (typeof outcomes)[number];
  readonly records: number;
}

/** A Job and its pod, ended so many minutes after midnight. */
function objects({ minute, outcome, records }: Given, index: number): readonly [KubeObject, KubeObject] {
  const name = `harvest-county-${String(index)}`;
  const time = new Date(Date.UTC(2026, 11, 1, 0, minute)).toISOString().replace(".000", "");
  const complete = outcome === "complete";
  const exitCode = complete ? 0 : 75;
  const watermarks = [{ set: "", before: time, after: time }];
  const message = JSON.stringify({ outcome, exitCode, message: "So.", totals: { records }, watermarks });
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, uid: name },
    status: {
      startTime: time,
      conditions: [{ type: complete ? "Complete" : "Failed", status: "True", lastTransitionTime: time }],
    },
  };
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name, uid: name }] },
    status: {
      phase: complete ? "Succeeded" : "Failed",
      containerStatuses: [{ state: { terminated: { exitCode, message } } }],
    },
  };
  return [job, pod];
}

type Seen = readonly (readonly [KubeObject, KubeObject])[];

function fold(status: HarvestSourceStatus | undefined, seen: Seen): HarvestSourceStatus {
  const runs = readRuns({ jobs: seen.map(([job]) => job), pods: seen.map(([, pod]) => pod), status, now });
  return decideStatus(statusInput({ source: liveSource(status), runs, now }));
}

const givenRuns = fc.array(
  fc.record({
    minute: fc.nat(12),
    outcome: fc.constantFrom(...outcomes),
    records: fc.nat(50),
  }),
  { maxLength: 12 },
);

/** In the order in which the control plane ended them. A second is shared only by runs that end together. */
function inOrder(given: readonly Given[]): Seen {
  return [...given]
    .sort((a, b) => a.minute - b.minute)
    .map((run, index) => ({ run, all: objects(run, index) }))
    .map(({ all }) => all);
}

describe("folding runs into a status", () => {
  it("gives the same however often, in what order and in how many steps they are seen", () => {
    fc.assert(
      fc.property(
        givenRuns,
        fc.array(fc.nat(12), { maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        (given, minutes, dice) => {
          const all = inOrder(given);
          const once = fold(undefined, all);
          // Each step sees what ended until then: some of it for the second time, shuffled, and some of it already deleted.
          const steps = [...minutes].sort((a, b) => a - b).concat(12);
          const stepwise = steps.reduce<HarvestSourceStatus | undefined>((status, until, step) => {
            const from = steps[step - 2] ?? -1;
            const seen = all.filter((_, i) => {
              const minute = [...given].sort((a, b) => a.minute - b.minute)[i]!.minute;
              return minute <= until && minute > from;
            });
            const rolled = [...seen, ...seen].map((one) => ({ one, at: dice.next().value as number }));
            return fold(
              status,
              rolled.sort((a, b) => a.at - b.at).map(({ one }) => one),
            );
          }, undefined);
          expect(stepwise).toEqual(once);
        },
      ),
    );
  });

  it("counts all that ended while nobody looked", () => {
    const given: readonly Given[] = [
      { minute: 0, outcome: "complete", records: 5 },
      { minute: 1, outcome: "failed", records: 6 },
      { minute: 2, outcome: "partial", records: 7 },
      { minute: 3, outcome: "interrupted", records: 8 },
    ];
    const seen = inOrder(given);
    const before = fold(undefined, seen.slice(0, 1));
    const after = fold(before, seen.toReversed());
    expect(after).toMatchObject({
      consecutiveFailures: 3,
      lastSuccessTime: "2026-12-01T00:00:00Z",
      records: 8,
      watermark: "2026-12-01T00:03:00Z",
      lastRun: { jobName: "harvest-county-3", outcome: "interrupted" },
      summary: "Failing(3)",
    });
    expect(fold(after, seen)).toEqual(after);
  });
});
