import { describe, expect, it } from "vitest";
import { reviewChange } from "./review-change.js";
import { manifest, treeOf } from "./tree-for-tests.js";

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
});
