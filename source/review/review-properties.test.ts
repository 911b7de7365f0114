import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LocatedSource } from "../located-source.js";
import type { PolicyTree } from "./policy-tree.js";
import { reviewChange } from "./review-change.js";
import { manifest, treeOf } from "./tree-for-tests.js";

const now = new Date("2026-11-30T10:00:00Z");
const options = { now, facts: {} };

const spec = fc.record(
  {
    baseUrl: fc.constantFrom("https://a.example/oai", "https://b.example/oai", "http://b.example/oai"),
    metadataPrefix: fc.constantFrom("iso19139", "oai_dc", "marcxml"),
    schedule: fc.constantFrom("0 */6 * * *", "30 2 * * *", "@every 7h", "0 0 31 2 *", "nonsense"),
    timeZone: fc.constantFrom("Etc/UTC", "Europe/Berlin"),
    suspend: fc.boolean(),
    sets: fc.uniqueArray(fc.constantFrom("x", "y", "z"), { minLength: 1 }),
    concurrency: fc.record({ maxRequests: fc.integer({ min: 1, max: 9 }) }),
    validation: fc.record({ xsd: fc.constantFrom("a.xsd", "b.xsd") }, { requiredKeys: [] }),
    deletions: fc.record({ onSourceRemoval: fc.constantFrom("keep", "withdraw") }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

const manifests = fc
  .dictionary(fc.constantFrom("a", "b", "c", "d", "e"), spec)
  .map((specs) =>
    Object.entries(specs).map(([name, each]) => [`${name}.yaml`, manifest(name, each)] as const),
  );

function tree(files: readonly (readonly [string, string])[], maxRequests = 10): PolicyTree {
  return treeOf({
    manifests: Object.fromEntries(files),
    fairUse: `default:\n  maxRequests: ${String(maxRequests)}\n`,
    policyFiles: { "a.xsd": String(maxRequests) },
  });
}

describe("any change", () => {
  it("is nothing from a side to itself", () => {
    fc.assert(
      fc.property(manifests, (files) => {
        const { rows, consequences, changes } = reviewChange(tree(files), tree(files), options);
        expect([rows, consequences, changes]).toEqual([[], [], []]);
      }),
      { numRuns: 40 },
    );
  });

  it("is the same review whatever the order of files", () => {
    fc.assert(
      fc.property(
        manifests.chain((files) =>
          fc.tuple(fc.constant(files), fc.shuffledSubarray(files, { minLength: files.length })),
        ),
        manifests.chain((files) =>
          fc.tuple(fc.constant(files), fc.shuffledSubarray(files, { minLength: files.length })),
        ),
        ([base, otherBase], [head, otherHead]) => {
          const one = reviewChange(tree(base), tree(head, 5), options);
          const other = reviewChange(tree(otherBase), tree(otherHead, 5), options);
          expect(JSON.stringify(other)).toBe(JSON.stringify(one));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("tells every source that is not unchanged in a row, and every figure is a number", () => {
    fc.assert(
      fc.property(manifests, manifests, (base, head) => {
        const { rows, changes, consequences, counts } = reviewChange(tree(base), tree(head), options);
        expect(rows.map(({ key }) => key).sort()).toEqual(changes.map(({ key }) => key).sort());
        expect(JSON.stringify([rows, consequences])).not.toMatch(/NaN|undefined|Infinity|\[object/);
        expect(counts.errors + counts.warnings + counts.infos).toBe(consequences.length);
      }),
      { numRuns: 60 },
    );
  });

  it("says the same at any time but for the first run", () => {
    fc.assert(
      fc.property(
        manifests,
        manifests,
        fc.date({ min: now, noInvalidDate: true, max: new Date("2040-01-01") }),
        (base, head, later) => {
          const one = reviewChange(tree(base), tree(head), options);
          const other = reviewChange(tree(base), tree(head), { now: later, facts: {} });
          expect([other.consequences, other.digest]).toEqual([one.consequences, one.digest]);
        },
      ),
      { numRuns: 30 },
    );
  });
});

/** The same tree; `looked` counts how often anything of a source is looked at. */
function counted(inner: PolicyTree): { readonly tree: PolicyTree; looked: () => number } {
  let looks = 0;
  const sources = inner.sources.map((located): LocatedSource => ({
    get source() {
      looks += 1;
      return located.source;
    },
    file: located.file,
    place: (path, part) => {
      looks += 1;
      return located.place(path, part);
    },
    written: (path) => {
      looks += 1;
      return located.written(path);
    },
  }));
  return { tree: { ...inner, ownersOf: (file) => inner.ownersOf(file), sources }, looked: () => looks };
}

/** Looks at sources of a review of n sources of one host, the first of which changes. */
function work(n: number, change: Readonly<Record<string, unknown>>): number {
  const side = (first: Readonly<Record<string, unknown>>) => {
    const files = Array.from({ length: n }, (_, i): [string, string] => [
      `s${String(i)}.yaml`,
      manifest(`s${String(i)}`, {
        baseUrl: `https://a.example/${String(i)}`,
        schedule: "0 2 * * *",
        ...(i === 0 ? first : {}),
      }),
    ]);
    return counted(treeOf({ manifests: Object.fromEntries(files) }));
  };
  const [base, head] = [side({}), side(change)];
  expect(reviewChange(base.tree, head.tree, options).changes).toHaveLength(1);
  return base.looked() + head.looked();
}

describe("one change among many sources of one host", () => {
  it.each([
    { concurrency: { maxRequests: 3 } },
    { schedule: "0 3 * * *" },
    { baseUrl: "https://b.example/0" },
  ])(
    "costs work in proportion to their number: %j",
    (change) => {
      const [few, many] = [work(500, change), work(2000, change)];
      // Four times as many sources, and sorting them by key.
      expect(many / few).toBeLessThan(5.5);
    },
    60_000,
  );
});
