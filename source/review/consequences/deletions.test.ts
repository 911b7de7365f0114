import { describe, expect, it } from "vitest";
import { known, toldOfOne, type OneSource } from "./tell-for-tests.js";

describe("deletions", () => {
  const table: readonly OneSource[] = [
    {
      name: "a looser guard",
      after: { deletions: { maxPercent: 50 } },
      store: known,
      expected: [
        "warning removal-guard-loosened: A sweep of a may withdraw 50 % or 20 records without asking; until now 10 % or 20 records. Of its 12,481 records that is 6,240 instead of 1,248.",
      ],
    },
    {
      name: "a looser number, of a small source",
      after: { deletions: { minRecords: 500 } },
      store: { records: 310, quarantined: 0 },
      expected: [
        "warning removal-guard-loosened: A sweep of a may withdraw 10 % or 500 records without asking; until now 10 % or 20 records. Of its 310 records that is 310 instead of 31.",
      ],
    },
    {
      name: "one looser, one tighter: it is looser",
      after: { deletions: { maxPercent: 5, minRecords: 100 } },
      expected: [
        "warning removal-guard-loosened: A sweep of a may withdraw 5 % or 100 records without asking; until now 10 % or 20 records. How many records that is, is not known.",
      ],
    },
    {
      name: "a tighter guard",
      after: { deletions: { maxPercent: 1, minRecords: 1 } },
      store: known,
      expected: [
        "info removal-guard-tightened: A sweep of a may withdraw 1 % or 1 record without asking; until now 10 % or 20 records. Of its 12,481 records that is 124 instead of 1,248.",
      ],
    },
    {
      name: "nothing leaves",
      after: { deletions: { policy: "ignore" } },
      expected: [
        "warning deletions-policy-changed: a: no record ever leaves; deletions announced meanwhile are lost (deletions.policy: auto → ignore).",
      ],
    },
    {
      name: "snapshot",
      after: { deletions: { policy: "snapshot" } },
      expected: [
        "warning deletions-policy-changed: a: records leave when a complete list no longer holds them, or when their deletion is announced (deletions.policy: auto → snapshot).",
      ],
    },
    {
      name: "tombstones",
      after: { deletions: { policy: "tombstones" } },
      expected: [
        "warning deletions-policy-changed: a: only announced deletions let records leave (deletions.policy: auto → tombstones).",
      ],
    },
    {
      name: "auto again",
      before: { deletions: { policy: "ignore" } },
      expected: [
        "info deletions-policy-changed: a: records leave as the source says it announces deletions (deletions.policy: ignore → auto).",
      ],
    },
    {
      name: "sweeps in each run",
      after: { deletions: { sweepIntervalHours: 0 } },
      expected: [
        "info sweep-interval-changed: a: missing records are looked for in each run instead of every 24 hours, where the source announces no deletions.",
      ],
    },
    {
      name: "withdraw",
      after: { deletions: { onSourceRemoval: "withdraw" } },
      store: known,
      expected: [
        "warning withdraw-armed: When the manifest of a is removed or renamed, its 12,481 records will be withdrawn; until now they would have stayed.",
      ],
    },
    {
      name: "keep",
      before: { deletions: { onSourceRemoval: "withdraw" } },
      expected: [
        "info withdraw-disarmed: When the manifest of a is removed, its records will stay in the catalogue; until now they would have been withdrawn.",
      ],
    },
  ];
  it.each(table)("$name", (given) => {
    expect(toldOfOne(given)).toEqual(given.expected);
  });
});
