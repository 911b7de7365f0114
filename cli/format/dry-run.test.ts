import { describe, expect, it } from "vitest";
import { totalsOf, type Tried } from "../dry-run/tried.js";
import { noColour } from "./colour.js";
import { closing, dryRunProgressLine, triedNotes, triedTable, type DryRunReport } from "./dry-run.js";

const ok: Tried = {
  source: "state-gis-clearinghouse",
  verdict: "ok",
  sample: true,
  besideStore: true,
  counts: {
    read: 200,
    valid: 188,
    refused: 12,
    insert: 3,
    update: 5,
    delete: 1,
    skip: 179,
    requests: 3,
    bytes: 4_100_000,
  },
  seconds: 6.6,
  refusedBy: { "schematron/bbox-order": 2, "xsd/unexpected-element": 10 },
  code: "LimitReached",
  message: "Stopped after 200 records, as asked.",
  lastRun: {
    runId: "r",
    outcome: "complete",
    endedAt: "2026-11-29T18:00:00Z",
    read: 12_481,
    refused: 3,
    requests: 126,
  },
};

const none = {
  read: 0,
  valid: 0,
  refused: 0,
  insert: 0,
  update: 0,
  delete: 0,
  skip: 0,
  requests: 1,
  bytes: 0,
};
const fails: Tried = {
  source: "harbor",
  verdict: "fails",
  sample: false,
  besideStore: false,
  counts: none,
  seconds: 0.2,
  refusedBy: {},
  code: "NotOai",
  message: "The answer is no OAI-PMH.",
  remedy: "Check spec.baseUrl.",
};

function report(all: readonly Tried[], target: DryRunReport["target"] = "live"): DryRunReport {
  return { all, totals: totalsOf(all), target };
}
const look = { theme: noColour, width: 100 };

it("a row a source", () => {
  expect(triedTable([ok, fails], 100)).toBe(
    `SOURCE               READ  VALID  REFUSED  INSERT  UPDATE  DELETE  SKIP  REQ   BYTES   TIME  VERDICT
state-gis-clearing…   200    188       12       3       5       1   179    3  4.1 MB  6.6 s  sample
harbor                  0      0        0       0       0       0     0    1     0 B  0.2 s  FAILS`,
  );
});

describe("notes", () => {
  it("what was refused by which rule, and the last real run beside this one", () => {
    expect(triedNotes(report([ok]), look)).toBe(
      `state-gis-clearinghouse
  refused   xsd/unexpected-element 10 · schematron/bbox-order 2
  last run  read 12,481, refused 3 (2026-11-29 18:00:00Z, complete); this one read 200, refused 12
            refuses 6.0 % of what it read; the last run refused 0.0 %`,
    );
  });

  it("why a source would fail, and what to do", () => {
    expect(triedNotes(report([fails]), look)).toBe(
      `harbor
  fails     The answer is no OAI-PMH. (NotOai)
  next      Check spec.baseUrl.`,
    );
  });

  it.each([
    {
      name: "a sandbox has other records",
      given: report([ok], "sandbox"),
      says: "a sandbox answered here: these are other records",
    },
    {
      name: "the store does not know the source",
      given: report([{ ...ok, besideStore: false }]),
      says: "not classified against the store: it does not know this source",
    },
    {
      name: "a replay that took another way",
      given: report([{ ...ok, unheard: 2 }], "replay"),
      says: "replay    2 recorded answers nobody asked for: it took another way",
    },
  ])("$name", ({ given, says }) => {
    expect(triedNotes(given, look)).toContain(says);
  });

  it("nothing to say of a source that would run as ever", () => {
    const quiet: Tried = { ...fails, verdict: "ok" };
    expect(triedNotes(report([quiet]), look)).toBe("");
  });
});

it.each([
  {
    name: "all would run",
    given: [ok],
    says: "1 source would run: 200 records read, 12 records refused. Nothing was written. It was a sample (--limit).",
  },
  {
    name: "some would not",
    given: [ok, fails, { ...fails, verdict: "untried" as const }],
    says: "3 sources tried, 1 would fail, 1 could not be tried: 200 records read, 12 records refused. Nothing was written. It was a sample (--limit).",
  },
  {
    name: "a budget",
    given: [{ ...ok, code: "RequestBudget" }],
    says: "1 source would run: 200 records read, 12 records refused. Nothing was written. It was a sample (--max-requests).",
  },
])("$name", ({ given, says }) => {
  expect(closing(report(given))).toBe(says);
});

it("progress", () => {
  const progress = { done: 12, sources: 50, names: ["a", "b"], read: 2400, refused: 3, elapsedSeconds: 10 };
  expect(dryRunProgressLine(progress)).toBe("  12 of 50 sources   2,400 records   refused 3   240/s   a, b");
});
