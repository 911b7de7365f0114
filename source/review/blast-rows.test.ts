import { describe, expect, it } from "vitest";
import type { StoreFacts } from "./facts.js";
import type { BlastRow } from "./review.js";
import { reviewChange } from "./review-change.js";
import { known } from "./consequences/tell-for-tests.js";
import { manifest, treeOf, type TestTree } from "./tree-for-tests.js";

const now = new Date("2026-11-30T10:00:00Z");

function rows(
  base: TestTree,
  head: TestTree,
  store?: Readonly<Record<string, StoreFacts>>,
): readonly BlastRow[] {
  const facts = store === undefined ? {} : { store: new Map(Object.entries(store)) };
  return reviewChange(treeOf(base), treeOf(head), { now, facts }).rows;
}

const fairUse = "hosts:\n  a.example:\n    maxRequests: 50\n";
const neighbour = {
  "n.yaml": manifest("neighbour", { baseUrl: "https://a.example/n", concurrency: { maxRequests: 30 } }),
  "s.yaml": manifest("sleeper", {
    baseUrl: "https://a.example/s",
    suspend: true,
    concurrency: { maxRequests: 9 },
  }),
};

describe("blastRows", () => {
  it("says what a prefix and more concurrency do to the host, with what the store knows", () => {
    const head = { metadataPrefix: "oai_dc", concurrency: { maxRequests: 60 }, schedule: "0 * * * *" };
    const owners = { "a.yaml": ["@geo/state", "@geo/all"] };
    expect(
      rows(
        {
          manifests: { ...neighbour, "a.yaml": manifest("a", { concurrency: { maxRequests: 20 } }) },
          fairUse,
          owners,
        },
        { manifests: { ...neighbour, "a.yaml": manifest("a", head) }, fairUse, owners },
        { a: known },
      ),
    ).toEqual([
      {
        key: "a",
        kind: "changed",
        what: ["concurrency", "prefix", "schedule"],
        host: "a.example",
        inFlight: { before: 50, after: 90 },
        ceiling: 50,
        runsPerDay: { before: 4, after: 24 },
        requestsPerDay: { before: 504, after: 3024 },
        requestsMeasured: true,
        firstRun: { at: new Date("2026-11-30T11:00:00Z"), timeZone: "Etc/UTC", local: "2026-11-30 11:00" },
        readAgain: { kind: "all", records: 12481, bytes: 98_000_000, seconds: 31 },
        owners: ["@geo/state", "@geo/all"],
      },
    ]);
  });

  it("weighs both hosts of a move by the new one", () => {
    const [row] = rows(
      { manifests: { ...neighbour, "a.yaml": manifest("a", { baseUrl: "https://old.example/oai" }) } },
      { manifests: { ...neighbour, "a.yaml": manifest("a") } },
    );
    expect([row!.host, row!.inFlight, row!.ceiling, row!.requestsMeasured]).toEqual([
      "a.example",
      { before: 30, after: 31 },
      undefined,
      false,
    ]);
  });

  it("counts nothing for a source that rests", () => {
    const [row] = rows(
      { manifests: { "a.yaml": manifest("a") } },
      { manifests: { "a.yaml": manifest("a", { suspend: true }) } },
    );
    expect(row).toMatchObject({
      what: ["pause"],
      inFlight: { before: 1, after: 0 },
      runsPerDay: { before: 4, after: 0 },
      requestsPerDay: { before: 8, after: 0 },
      readAgain: { kind: "nothing" },
    });
    expect(row!.firstRun).toBeUndefined();
  });

  it("takes the spread into account", () => {
    // SHA-256 of "a" begins with ca978112: 3398926610 modulo 60 is 50.
    const [row] = rows(
      { manifests: {} },
      { manifests: { "a.yaml": manifest("a", { scheduleSpreadMinutes: 60 }) } },
    );
    expect(row!.firstRun!.local).toBe("2026-11-30 12:50");
    expect(row!.readAgain).toEqual({ kind: "all" });
  });

  it("reads a renamed source again, at the cost the store knows under the old name", () => {
    const [row] = rows(
      { manifests: { "a.yaml": manifest("a") } },
      { manifests: { "a.yaml": manifest("b") } },
      { a: { records: 7, quarantined: 0 } },
    );
    expect([row!.key, row!.what, row!.readAgain]).toEqual(["b", ["name"], { kind: "all", records: 7 }]);
  });

  it("names a policy file, and the team of the labels where CODEOWNERS names nobody", () => {
    const text = manifest("a", { validation: { schematron: "rules/a.sch" } }).replace(
      "  name: a",
      "  name: a\n  labels:\n    team: coast",
    );
    const side = (content: string) => ({
      manifests: { "a.yaml": text },
      policyFiles: { "rules/a.sch": content },
    });
    const [row] = rows(side("1"), side("2"));
    expect([row!.what, row!.owners]).toEqual([["rules/a.sch"], ["coast"]]);
  });

  it("puts the most severe first, then goes by key", () => {
    const spec = (n: number) => ({ concurrency: { maxRequests: n } });
    const base = {
      "a.yaml": manifest("a"),
      "b.yaml": manifest("b"),
      "c.yaml": manifest("c"),
      "d.yaml": manifest("d"),
    };
    const head = {
      "a.yaml": manifest("a", { timeZone: "Europe/Berlin", schedule: "0 */6 * * *" }),
      "b.yaml": manifest("b", { transport: { mtls: false, allowPrivateNetwork: true } }),
      "c.yaml": manifest("c", spec(99)),
      "d.yaml": manifest("d", { validation: { onFailure: "fail" } }),
    };
    expect(rows({ manifests: base, fairUse }, { manifests: head, fairUse }).map(({ key }) => key)).toEqual([
      "c",
      "b",
      "d",
      "a",
    ]);
  });
});
