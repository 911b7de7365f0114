import { describe, expect, it } from "vitest";
import { emptyTally } from "../../harvester/report/tally.js";
import { progressLine, type ProgressFacts } from "./progress-line.js";

const base: ProgressFacts = { tally: emptyTally, elapsedSeconds: 0, width: 200 };

const cases: readonly { name: string; given: ProgressFacts; expect: string }[] = [
  {
    name: "a list of known length has a bar, a rate and an end",
    given: {
      ...base,
      tally: { ...emptyTally, read: 8400, listSize: 12_481, quarantined: 3 },
      elapsedSeconds: 20,
    },
    expect: "  ███████████████████░░░░░░░░░  8,400 of 12,481   420/s   ETA 9.7 s   quarantined 3",
  },
  {
    name: "a list of unknown length has no bar and promises no end",
    given: { ...base, tally: { ...emptyTally, read: 1200 }, elapsedSeconds: 10 },
    expect: "  1,200 records   120/s",
  },
  {
    name: "more records than the source said never draw a bar beyond its end",
    given: { ...base, tally: { ...emptyTally, read: 20, listSize: 10 }, elapsedSeconds: 10 },
    expect: "  ████████████████████████████  20 of 10   2/s",
  },
  {
    name: "a wait is said with its reason",
    given: { ...base, elapsedSeconds: 10, waiting: { secondsLeft: 240, reason: "Retry-After" } },
    expect: "  0 records   0/s   waiting 4 min (Retry-After)",
  },
  { name: "it never wraps", given: { ...base, width: 10 }, expect: "  0 recor" },
];

describe("progressLine", () => {
  it.each(cases)("$name", ({ given, expect: expected }) => {
    expect(progressLine(given)).toBe(expected);
  });
});
