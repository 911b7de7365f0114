import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decideRemovals,
  deletionPolicy,
  planSweep,
  type RemovalQuestion,
  type SweepQuestion,
} from "./deletions.js";

describe("deletionPolicy", () => {
  it.each([
    ["auto", "persistent", true, false],
    ["auto", "transient", true, true],
    ["auto", "no", true, true],
    ["tombstones", "no", true, false],
    ["snapshot", "persistent", true, true],
    ["ignore", "persistent", false, false],
  ] as const)("C45 %s with deletedRecord %s", (...[policy, deletedRecord, tombstones, sweep]) => {
    expect(deletionPolicy(policy, deletedRecord)).toEqual({ tombstones, sweep });
  });
});

describe("planSweep", () => {
  const base: SweepQuestion = {
    policy: { tombstones: true, sweep: true },
    mode: "from-cursor",
    sweepIntervalHours: 24,
    cursor: { watermark: "2026-03-01T00:00:00Z", sweptAt: "2026-03-01T00:00:00Z" },
    now: "2026-03-01T12:00:00Z",
  };

  it.each([
    ["not due", {}, { kind: "none", countsAsSwept: false, reason: "not-due" }],
    [
      "C45 due after the interval",
      { now: "2026-03-02T00:00:00Z" },
      { kind: "by-headers", reason: "interval" },
    ],
    ["C46 due after a long gap", { now: "2026-06-01T00:00:00Z" }, { kind: "by-headers", reason: "interval" }],
    ["due at every run", { sweepIntervalHours: 0 }, { kind: "by-headers", reason: "interval" }],
    [
      "never swept",
      { cursor: { watermark: "2026-03-01T00:00:00Z" } },
      { kind: "by-headers", reason: "never-swept" },
    ],
    [
      "the first harvest counts as one",
      { cursor: {} },
      { kind: "none", countsAsSwept: true, reason: "first-harvest" },
    ],
    ["a full list is one", { mode: "full" }, { kind: "by-list" }],
    ["a snapshot is one", { mode: "snapshot" }, { kind: "by-list" }],
    [
      "not by policy",
      { policy: { tombstones: true, sweep: false }, mode: "full" },
      { kind: "none", countsAsSwept: false, reason: "policy" },
    ],
  ] as const)("%s", (_, changes, expected) => {
    expect(planSweep({ ...base, ...changes })).toEqual(expected);
  });
});

describe("decideRemovals", () => {
  const guard = { maxPercent: 10, minRecords: 20 };
  const base: RemovalQuestion = { complete: true, listed: 1000, known: 1000, missing: 50, guard };

  it.each([
    ["nothing is missing", { missing: 0 }, "nothing"],
    ["a few", { missing: 50 }, "withdraw"],
    ["exactly the limit", { missing: 100 }, "withdraw"],
    ["C51 more than the limit", { missing: 101 }, "DeletionGuard"],
    ["up to minRecords pass whatever their share", { known: 25, missing: 20, listed: 5 }, "withdraw"],
    ["one more does not", { known: 25, missing: 21, listed: 4 }, "DeletionGuard"],
    ["C35 an empty list against a store", { listed: 0, known: 10_000, missing: 10_000 }, "DeletionGuard"],
    ["C35 also against a small one", { listed: 0, known: 3, missing: 3 }, "DeletionGuard"],
    ["C35 an empty list against an empty store", { listed: 0, known: 0, missing: 0 }, "nothing"],
    ["C51 a list that is not complete", { complete: false, missing: 1 }, "ListIncomplete"],
    [
      "a guard of 100 % lets all go that were replaced",
      { missing: 1000, guard: { maxPercent: 100, minRecords: 0 } },
      "withdraw",
    ],
    ["a guard of nothing", { missing: 1, guard: { maxPercent: 0, minRecords: 0 } }, "DeletionGuard"],
  ])("%s", (_, changes, expected) => {
    const decision = decideRemovals({ ...base, ...changes });
    expect(decision.kind === "refuse" ? decision.code : decision.kind).toBe(expected);
  });

  it("C99 tells of twins", () => {
    const decision = decideRemovals({ ...base, missing: 1000, twins: 990 });
    expect(decision.kind === "refuse" && decision.sentence).toBe(
      "1000 of 1000 records (100 %) are missing from the source's list, more than 10 % and more than 20 records: none is withdrawn. 990 of them came back with the same content under another identifier: the source may have renamed its records.",
    );
  });

  it("law 3: an incomplete or empty list never withdraws, a withdrawal is never beyond the guard", () => {
    const count = fc.nat(100_000);
    fc.assert(
      fc.property(
        fc.boolean(),
        count,
        count,
        count,
        fc.nat(100),
        fc.nat(1000),
        (...[complete, listed, known, lost, maxPercent, minRecords]) => {
          const missing = Math.min(lost, known);
          const decision = decideRemovals({
            complete,
            listed,
            known,
            missing,
            guard: { maxPercent, minRecords },
          });
          if (decision.kind !== "withdraw") return;
          expect(complete && listed > 0 && missing > 0).toBe(true);
          expect(missing <= minRecords || (missing / known) * 100 <= maxPercent + 1e-9).toBe(true);
        },
      ),
    );
  });
});
