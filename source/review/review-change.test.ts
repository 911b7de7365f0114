import { describe, expect, it } from "vitest";
import { reviewChange } from "./review-change.js";
import type { Finding } from "../finding.js";
import type { ReviewFacts } from "./facts.js";
import type { PolicyTree } from "./policy-tree.js";
import { manifest, treeOf, type TestTree } from "./tree-for-tests.js";

const now = new Date("2026-11-30T10:00:00Z");

describe("reviewChange", () => {
  it("says nothing where nothing changes", () => {
    const tree = treeOf({ manifests: { "a.yaml": manifest("a"), "b.yaml": manifest("b") } });
    const review = reviewChange(tree, tree, { now, facts: {} });
    expect([review.rows, review.consequences, review.changes]).toEqual([[], [], []]);
    expect(review.counts).toEqual({
      added: 0,
      changed: 0,
      renamed: 0,
      removed: 0,
      unchanged: 2,
      errors: 0,
      warnings: 0,
      infos: 0,
    });
  });

  it("tells what comes, goes and changes its name", () => {
    const base = treeOf({
      label: "3f2a91c",
      manifests: {
        "a.yaml": manifest("a"),
        "old.yaml": manifest("old", { baseUrl: "https://old.example/oai" }),
        "gone.yaml": manifest("gone", { baseUrl: "https://gone.example/oai" }),
      },
    });
    const head = treeOf({
      label: "working tree",
      manifests: {
        "a.yaml": `# a comment\n${manifest("a")}`,
        "new.yaml": manifest("new", { baseUrl: "https://old.example/oai" }),
        "fresh.yaml": manifest("fresh", { baseUrl: "https://fresh.example/oai" }),
      },
    });
    const review = reviewChange(base, head, { now, facts: {} });
    expect(review.changes.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
      "added fresh",
      "removed gone",
      "renamed new",
    ]);
    expect(review.consequences.map(({ id, source }) => `${id} ${source!}`)).toEqual([
      "source-removed gone",
      "source-renamed new",
      "source-added fresh",
    ]);
    expect(review.rows[0]).toEqual({
      key: "gone",
      kind: "removed",
      what: ["removed"],
      host: "gone.example",
      inFlight: { before: 1, after: 0 },
      runsPerDay: { before: 4, after: 0 },
      requestsPerDay: { before: 8, after: 0 },
      requestsMeasured: false,
      readAgain: { kind: "nothing" },
      owners: [],
    });
    expect(review.rows[2]!.firstRun).toEqual({
      at: new Date("2026-11-30T12:00:00Z"),
      timeZone: "Etc/UTC",
      local: "2026-11-30 12:00",
    });
  });

  it("knows a finding again that stood in the base, whatever its line, and counts only the others", () => {
    const finding = (sentence: string, line: number): Finding => ({
      rule: "source/duplicate-name",
      severity: "error",
      place: { file: "a.yaml", line, column: 1, length: 1 },
      sentence,
    });
    const manifests = { "a.yaml": manifest("a") };
    const base = treeOf({ manifests, findings: [finding("Another source is called a (a.yaml:4).", 4)] });
    const head = treeOf({
      manifests,
      findings: [finding("New.", 9), finding("Another source is called a (a.yaml:7).", 7)],
    });
    const review = reviewChange(base, head, { now, facts: {} });
    expect(review.findings.map(({ finding: { place }, known }) => [place.line, known])).toEqual([
      [7, true],
      [9, false],
    ]);
    expect(review.counts).toMatchObject({ errors: 1, warnings: 0, infos: 0 });
    expect(review.unknowns).toEqual([
      "No store was asked: how many records, requests and seconds a change costs is not known; at least 2 requests a run are counted.",
      "No cluster was asked: hand edits that a merge would overwrite are not known.",
      "The base (test) has 1 error: sources that could not be read there count as new.",
      "The head has no usable file of ceilings: whether a host allows this is not known.",
    ]);
  });

  it("has nothing to regret when everything was asked", () => {
    const tree = treeOf({ manifests: { "a.yaml": manifest("a") }, fairUse: "default:\n  maxRequests: 4\n" });
    const facts = { store: new Map(), live: new Map() };
    expect(reviewChange(tree, tree, { now, facts }).unknowns).toEqual([]);
  });

  it("has another digest for another text, owner or fact, and the same for another label or time", () => {
    const tree = (more: Partial<TestTree> = {}) =>
      treeOf({ manifests: { "a.yaml": manifest("a") }, ...more });
    const digest = (head: PolicyTree, facts: ReviewFacts = {}, at = now) =>
      reviewChange(tree(), head, { now: at, facts }).digest;
    const first = digest(tree());
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(digest(tree({ label: "other" }), {}, new Date("2030-01-01T00:00:00Z"))).toBe(first);
    const others = [
      digest(tree({ manifests: { "a.yaml": `${manifest("a")}# x\n` } })),
      digest(tree({ owners: { "a.yaml": ["@geo/state"] } })),
      digest(tree({ policyFiles: { "rules/a.sch": "1" } })),
      digest(tree(), { store: new Map([["a", { records: 1, quarantined: 0 }]]) }),
    ];
    expect(new Set([first, ...others]).size).toBe(5);
  });
});
