import { describe, expect, it } from "vitest";
import { firstRun, inFlight, readAgain, requestsPerDay, runsPerDay } from "./cells.js";
import type { ShownReview, ShownRow } from "./shown-review.js";
import { verdict } from "./verdict.js";

function row(more: Partial<ShownRow> = {}): ShownRow {
  return {
    key: "a",
    kind: "changed",
    what: [],
    host: "a.example.gov",
    inFlight: { before: 1, after: 1 },
    runsPerDay: { before: 4, after: 4 },
    requestsPerDay: { before: 8, after: 8 },
    requestsMeasured: false,
    readAgain: { kind: "nothing" },
    owners: [],
    ...more,
  };
}

describe("the figures of a source", () => {
  it.each([
    { name: "no ceiling", cell: inFlight(row()), expect: "1" },
    { name: "within the ceiling", cell: inFlight(row({ ceiling: 4 })), expect: "1 / 4" },
    {
      name: "over it",
      cell: inFlight(row({ inFlight: { before: 50, after: 90 }, ceiling: 50 })),
      expect: "50 → 90 / 50 exceeded",
    },
    { name: "requests estimated", cell: requestsPerDay(row()), expect: "at least 8" },
    {
      name: "requests measured",
      cell: requestsPerDay(row({ requestsPerDay: { before: 504, after: 12096 }, requestsMeasured: true })),
      expect: "504 → 12,096",
    },
    {
      name: "none at all",
      cell: requestsPerDay(row({ requestsPerDay: { before: 0, after: 0 } })),
      expect: "0",
    },
    {
      name: "less than one a day",
      cell: runsPerDay(row({ runsPerDay: { before: 0.714, after: 1 } })),
      expect: "0.7 → 1",
    },
    { name: "never", cell: firstRun(row()), expect: "–" },
    {
      name: "in its zone",
      cell: firstRun(
        row({
          firstRun: { at: "2026-12-01T08:42:00Z", timeZone: "America/Chicago", local: "2026-12-01 02:42" },
        }),
      ),
      expect: "2026-12-01 02:42 America/Chicago",
    },
    { name: "nothing again", cell: readAgain(row()), expect: "–" },
    {
      name: "all, nobody knows how many",
      cell: readAgain(row({ readAgain: { kind: "all" } })),
      expect: "all records",
    },
    { name: "one", cell: readAgain(row({ readAgain: { kind: "all", records: 1 } })), expect: "all 1 record" },
    {
      name: "all with its cost",
      cell: readAgain(row({ readAgain: { kind: "all", records: 12481, bytes: 98e6, seconds: 31 } })),
      expect: "all 12,481 records (about 98 MB, 31 s)",
    },
  ])("$name: $expect", ({ cell, expect: wanted }) => {
    expect(cell).toBe(wanted);
  });
});

describe("the verdict", () => {
  const none = {
    added: 0,
    changed: 0,
    renamed: 0,
    removed: 0,
    unchanged: 3,
    errors: 0,
    warnings: 0,
    infos: 0,
  };
  function said(counts: Partial<typeof none>, more: Partial<ShownReview> = {}): string {
    return verdict({
      base: "a",
      head: "b",
      counts: { ...none, ...counts },
      rows: [],
      consequences: [],
      findings: [],
      changes: [],
      noEffect: [],
      unknowns: [],
      digest: "",
      ...more,
    });
  }

  it.each([
    { counts: {}, expect: "No source changes: 0 errors, 0 warnings." },
    {
      counts: { changed: 1, removed: 1, errors: 1, warnings: 2 },
      expect: "1 source changes, 1 is removed: 1 error, 2 warnings.",
    },
    {
      counts: { added: 1200, renamed: 1 },
      expect: "1,200 sources are added, 1 gets another name: 0 errors, 0 warnings.",
    },
    { counts: { changed: 3, added: 1 }, expect: "3 sources change, 1 is added: 0 errors, 0 warnings." },
  ])("$expect", ({ counts, expect: wanted }) => {
    expect(said(counts)).toBe(wanted);
  });

  it("tells texts without effect from nothing", () => {
    expect(said({}, { noEffect: ["a.yaml"] })).toBe(
      "No source changes; only texts without effect differ: 0 errors, 0 warnings.",
    );
  });
});
