import { describe, expect, it } from "vitest";
import { Fault, type FaultKind } from "../fault.js";
import fc from "fast-check";
import { failureMessage, summarise, terminationMessage, type RunFacts } from "./summary.js";
import { emptyTally } from "./tally.js";

const facts: RunFacts = {
  runId: "01J",
  source: "county",
  endpoint: "https://catalogue.example.gov/oai",
  prefix: "iso19139",
  policyDigest: "d",
  startedAt: new Date("2026-11-30T00:00:00.400Z"),
  endedAt: new Date("2026-11-30T00:00:31.000Z"),
  tally: emptyTally,
};

function fault(kind: FaultKind, code = "X"): Fault {
  return new Fault(kind, { code, sentence: "It failed.", remedy: "Mend it." });
}

const some = { ...emptyTally, read: 10, inserted: 10 };

const cases: readonly {
  name: string;
  given: Partial<RunFacts>;
  expect: { outcome: string; exitCode: number; code?: string };
}[] = [
  { name: "nothing failed", given: {}, expect: { outcome: "complete", exitCode: 0 } },
  {
    name: "a list that ended early",
    given: { tally: { ...some, incomplete: ["The list was cut."] } },
    expect: { outcome: "partial", exitCode: 75, code: "ListIncomplete" },
  },
  {
    name: "throttled before any record",
    given: { fault: fault("throttled") },
    expect: { outcome: "failed", exitCode: 75, code: "X" },
  },
  {
    name: "C77 throttled after some records is partial, never complete",
    given: { fault: fault("throttled"), tally: some },
    expect: { outcome: "partial", exitCode: 75, code: "X" },
  },
  {
    name: "denied",
    given: { fault: fault("denied") },
    expect: { outcome: "failed", exitCode: 77, code: "X" },
  },
  {
    name: "protocol fault",
    given: { fault: fault("protocol") },
    expect: { outcome: "failed", exitCode: 65, code: "X" },
  },
  {
    name: "a guard that refused is refused, also after records",
    given: { fault: fault("refused", "DeletionGuard"), tally: some },
    expect: { outcome: "refused", exitCode: 65, code: "DeletionGuard" },
  },
  {
    name: "stopped by a signal",
    given: { fault: fault("interrupted"), tally: some },
    expect: { outcome: "interrupted", exitCode: 75, code: "X" },
  },
  {
    name: "the store was lost",
    given: { fault: fault("store"), tally: some },
    expect: { outcome: "partial", exitCode: 74, code: "X" },
  },
  {
    name: "configuration",
    given: { fault: fault("config") },
    expect: { outcome: "failed", exitCode: 78, code: "X" },
  },
  {
    name: "unavailable",
    given: { fault: fault("unavailable") },
    expect: { outcome: "failed", exitCode: 69, code: "X" },
  },
  { name: "our bug", given: { fault: fault("bug") }, expect: { outcome: "failed", exitCode: 70, code: "X" } },
];

describe("summarise", () => {
  it.each(cases)("$name", ({ given, expect: expected }) => {
    const { outcome, exitCode, code } = summarise({ ...facts, ...given });
    expect({ outcome, exitCode, code }).toEqual({ code: undefined, ...expected });
  });

  it("tells times in UTC and seconds to a tenth", () => {
    const { startedAt, endedAt, seconds } = summarise(facts);
    expect({ startedAt, endedAt, seconds }).toEqual({
      startedAt: "2026-11-30T00:00:00Z",
      endedAt: "2026-11-30T00:00:31Z",
      seconds: 30.6,
    });
  });
});

describe("terminationMessage", () => {
  const long = "x".repeat(400);

  it("is the whole summary when that fits", () => {
    const summary = summarise(facts);
    expect(JSON.parse(terminationMessage(summary))).toEqual(JSON.parse(JSON.stringify(summary)));
  });

  it("never exceeds 4 KiB, whatever a source did, and keeps the verdict", () => {
    const warnings = Array.from({ length: 90 }, (_, i) => ({
      code: `w${i.toString()}`,
      sentence: long,
      times: 1,
    }));
    const refusedBy = Object.fromEntries(warnings.map(({ code }) => [`schematron/${code}${long}`, 1]));
    const text = terminationMessage(summarise({ ...facts, tally: { ...some, warnings, refusedBy } }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    expect(JSON.parse(text)).toMatchObject({
      runId: "01J",
      outcome: "complete",
      exitCode: 0,
      counts: { read: 10 },
    });
  });

  it("keeps totals and the bundle's digest in the worst case, and stays within 4,096 bytes", () => {
    const worst = "\u0001".repeat(3000);
    const summary = summarise({
      ...facts,
      runId: worst,
      source: worst,
      endpoint: worst,
      policyDigest: "d".repeat(64),
      totals: { records: 12_481, quarantined: 3 },
      fault: new Fault("config", { code: "X", sentence: worst, remedy: worst }),
    });
    const text = terminationMessage({ ...summary, bundleDigest: "b".repeat(64) });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    expect(JSON.parse(text)).toMatchObject({
      outcome: "failed",
      exitCode: 78,
      code: "X",
      startedAt: "2026-11-30T00:00:00Z",
      totals: { records: 12_481, quarantined: 3 },
      policyDigest: "d".repeat(64),
      bundleDigest: "b".repeat(64),
    });
  });
});

describe("failureMessage", () => {
  it("is whole when it fits", () => {
    const failure = { exitCode: 78, code: "BadManifest", message: "It is empty.", remedy: "Lint it." };
    expect(JSON.parse(failureMessage(failure))).toEqual(failure);
  });

  it("is whole JSON within 4,096 bytes whatever was said", () => {
    const text = fc.string({ unit: "binary", maxLength: 5000, size: "max" });
    fc.assert(
      fc.property(text, text, (message, remedy) => {
        const left = failureMessage({ exitCode: 78, code: "BadManifest", message, remedy });
        expect(Buffer.byteLength(left)).toBeLessThanOrEqual(4096);
        expect(JSON.parse(left)).toMatchObject({ exitCode: 78, code: "BadManifest" });
      }),
      { numRuns: 50 },
    );
  });
});
