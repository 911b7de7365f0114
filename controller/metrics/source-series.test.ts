import { describe, expect, it } from "vitest";
import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import { sourceBook, type SourceReading } from "./source-series.js";

const now = Date.parse("2026-12-01T12:00:00Z");

function condition(type: string, status: "True" | "False" | "Unknown") {
  return { type, status, reason: "Because", message: "", lastTransitionTime: "2026-12-01T00:00:00Z" };
}

function source(name: string, status?: HarvestSourceStatus, generation?: number): SourceReading {
  return { namespace: "geo", name, status, generation };
}

const harbor: HarvestSourceStatus = {
  observedGeneration: 2,
  watermark: "2026-12-01T10:00:00Z",
  lastSuccessTime: "2026-12-01T10:00:30Z",
  consecutiveFailures: 1,
  records: 310,
  quarantined: 2,
  drift: { manager: "kubectl-edit" },
  conditions: [condition("Ready", "True"), condition("Fresh", "False")],
};

const coast: HarvestSourceStatus = {
  watermark: "2026-12-01T11:00:00Z",
  lastSuccessTime: "2026-11-30T00:00:00Z",
  consecutiveFailures: 4,
  records: 90,
  quarantined: 0,
  conditions: [condition("Fresh", "False"), condition("Ready", "False")],
};

function series(status: HarvestSourceStatus | undefined) {
  return sourceBook([source("x", status)], { max: 10, now }).series[0];
}

describe("the series of a source", () => {
  it.each([
    { name: "without a status", given: undefined, expect: { drifted: 0, conditions: [] } },
    {
      name: "with everything",
      given: harbor,
      expect: {
        lagSeconds: 7_200,
        lastSuccessSeconds: 1_796_119_230,
        failures: 1,
        records: 310,
        quarantined: 2,
        drifted: 1,
        conditions: [
          { type: "Ready", status: "True", count: 1 },
          { type: "Fresh", status: "False", count: 1 },
        ],
      },
    },
    {
      name: "with a watermark in the future",
      given: { watermark: "2026-12-01T12:00:05Z" },
      expect: { lagSeconds: 0, drifted: 0, conditions: [] },
    },
    {
      name: "with what is no time, no number and no condition of ours",
      given: {
        watermark: "yesterday",
        records: "many" as unknown as number,
        conditions: [condition("Invented", "True"), condition("Ready", "Maybe" as "True")],
      },
      expect: { drifted: 0, conditions: [] },
    },
  ])("$name", ({ given, expect: expected }) => {
    expect(series(given)).toEqual({ namespace: "geo", name: "x", ...expected });
  });
});

describe("many sources", () => {
  it("beyond the bound are one series: the worst lag, the oldest success, sums, and counts", () => {
    const book = sourceBook([source("a"), source("harbor", harbor), source("coast", coast), source("new")], {
      max: 1,
      now,
    });
    expect(book).toEqual({
      sources: 4,
      behind: 0,
      folded: 3,
      series: [
        { namespace: "geo", name: "a", drifted: 0, conditions: [] },
        {
          namespace: "_other",
          name: "_other",
          lagSeconds: 7_200,
          lastSuccessSeconds: 1_795_996_800,
          failures: 5,
          records: 400,
          quarantined: 2,
          drifted: 1,
          conditions: [
            { type: "Fresh", status: "False", count: 2 },
            { type: "Ready", status: "False", count: 1 },
            { type: "Ready", status: "True", count: 1 },
          ],
        },
      ],
    });
  });

  it.each([
    { name: "none", max: 2_000, expect: { folded: 0, series: 4 } },
    { name: "none when there are just as many as may be", max: 4, expect: { folded: 0, series: 4 } },
    { name: "all when none may", max: 0, expect: { folded: 4, series: 1 } },
  ])("fold $name", ({ max, expect: expected }) => {
    const sources = ["a", "b", "c", "d"].map((name) => source(name));
    const book = sourceBook(sources, { max, now });
    expect({ folded: book.folded, series: book.series.length }).toEqual(expected);
  });

  it("count those whose latest spec nobody has looked at", () => {
    const sources = [
      source("seen", { observedGeneration: 3 }, 3),
      source("behind", { observedGeneration: 2 }, 3),
      source("new", { observedGeneration: -1 }, 1),
      source("without status", undefined, 1),
    ];
    expect(sourceBook(sources, { max: 10, now }).behind).toBe(3);
  });
});
