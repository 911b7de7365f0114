import { describe, expect, it } from "vitest";
import { pairSources } from "./pair-sources.js";
import type { SourceChange } from "./source-change.js";
import { manifest, treeOf, type TestTree } from "./tree-for-tests.js";

function said(change: SourceChange): string {
  const from = change.kind === "renamed" ? ` from ${change.base.source.metadata.name}` : "";
  const fields = "fields" in change ? change.fields.map(({ field }) => field) : [];
  const moved =
    "movedFrom" in change && change.movedFrom !== undefined ? ` moved from ${change.movedFrom}` : "";
  const files = change.files.map(({ path, kind }) => ` ${path} ${kind}`).join("");
  return `${change.kind} ${change.key}${from}${fields.length === 0 ? "" : ` (${fields.join(", ")})`}${moved}${files}`;
}

function inNamespace(name: string, namespace: string, spec?: Readonly<Record<string, unknown>>): string {
  return manifest(name, spec).replace(`  name: ${name}`, `  name: ${name}\n  namespace: ${namespace}`);
}

/** As `manifest("a")`, in other words. */
const sameInOtherWords = [
  "# reviewed",
  "kind: HarvestSource",
  "apiVersion: 'ingest.geoportal.io/v1'",
  "spec:",
  "  schedule: '0 */6 * * *' # four times a day",
  "  metadataPrefix: iso19139",
  "  suspend: false",
  "  baseUrl: https://a.example/oai",
  "  delta: {}",
  "metadata: { name: a }",
  "",
].join("\n");

describe("pairSources", () => {
  const table: {
    name: string;
    before: TestTree["manifests"];
    after: TestTree["manifests"];
    expected: string[];
  }[] = [
    {
      name: "the same",
      before: { "a.yaml": manifest("a") },
      after: { "a.yaml": manifest("a") },
      expected: ["unchanged a"],
    },
    {
      name: "comments, order, quotes and written defaults",
      before: { "a.yaml": manifest("a") },
      after: { "a.yaml": sameInOtherWords },
      expected: ["unchanged a"],
    },
    {
      name: "another file",
      before: { "a.yaml": manifest("a") },
      after: { "new/b.yaml": manifest("a") },
      expected: ["changed a moved from a.yaml"],
    },
    {
      name: "another name",
      before: { "a.yaml": manifest("a") },
      after: { "a.yaml": manifest("b") },
      expected: ["renamed b from a (metadata.name)"],
    },
    {
      name: "another name, and something else that is not what it asks for",
      before: { "a.yaml": manifest("a") },
      after: { "b.yaml": manifest("b", { concurrency: { maxRequests: 2 } }) },
      expected: ["renamed b from a (metadata.name, spec.concurrency.maxRequests) moved from a.yaml"],
    },
    {
      name: "another namespace",
      before: { "a.yaml": inNamespace("a", "one") },
      after: { "a.yaml": inNamespace("a", "two") },
      expected: ["renamed two/a from a (metadata.namespace)"],
    },
    {
      name: "a namespace where there was none",
      before: { "a.yaml": manifest("a") },
      after: { "a.yaml": inNamespace("a", "one") },
      expected: ["renamed one/a from a (metadata.namespace)"],
    },
    {
      name: "the order of sets is no difference",
      before: { "a.yaml": manifest("a", { sets: ["x", "y"] }) },
      after: { "a.yaml": manifest("b", { sets: ["y", "x"] }) },
      expected: ["renamed b from a (metadata.name)"],
    },
    {
      name: "other sets: no rename",
      before: { "a.yaml": manifest("a", { sets: ["x"] }) },
      after: { "a.yaml": manifest("b", { sets: ["y"] }) },
      expected: ["removed a", "added b"],
    },
    {
      name: "two candidates: the more alike one",
      before: { "a.yaml": manifest("a", { suspend: true }), "b.yaml": manifest("b") },
      after: { "c.yaml": manifest("c"), "d.yaml": manifest("d", { suspend: true }) },
      expected: [
        "renamed c from b (metadata.name) moved from b.yaml",
        "renamed d from a (metadata.name) moved from a.yaml",
      ],
    },
    {
      name: "two candidates for one: the other is gone",
      before: { "a.yaml": manifest("a"), "b.yaml": manifest("b") },
      after: { "c.yaml": manifest("c") },
      expected: ["removed b", "renamed c from a (metadata.name) moved from a.yaml"],
    },
    {
      name: "a name twice: the first counts, lint refuses the other",
      before: { "a.yaml": manifest("a") },
      after: { "a.yaml": manifest("a"), "z.yaml": manifest("a", { suspend: true }) },
      expected: ["unchanged a"],
    },
    {
      name: "names swapped: both ask for something else now",
      before: { "a.yaml": manifest("a", { sets: ["x"] }), "b.yaml": manifest("b", { sets: ["y"] }) },
      after: { "a.yaml": manifest("a", { sets: ["y"] }), "b.yaml": manifest("b", { sets: ["x"] }) },
      expected: ["changed a (spec.sets)", "changed b (spec.sets)"],
    },
    {
      name: "many documents in one file",
      before: { "all.yaml": [manifest("a"), manifest("b")].join("---\n") },
      after: { "all.yaml": [manifest("b"), manifest("a", { suspend: true })].join("---\n") },
      expected: ["changed a (spec.suspend)", "unchanged b"],
    },
  ];
  it.each(table)("$name", ({ before, after, expected }) => {
    expect(pairSources(treeOf({ manifests: before }), treeOf({ manifests: after })).map(said)).toEqual(
      expected,
    );
  });

  it("names the files of a source's policy that differ, and no others", () => {
    const side = (policyFiles: Readonly<Record<string, string>>, schematron: string) =>
      treeOf({
        manifests: { "a.yaml": manifest("a", { validation: { schematron } }), "b.yaml": manifest("b") },
        closures: { "rules/a.sch": ["rules/a.sch", "rules/part.sch"] },
        policyFiles,
      });
    const before = side({ "rules/a.sch": "1", "rules/part.sch": "2", "rules/x.sch": "3" }, "rules/a.sch");
    const after = side({ "rules/a.sch": "1", "rules/part.sch": "new", "rules/x.sch": "new" }, "rules/a.sch");
    expect(pairSources(before, after).map(said)).toEqual(["changed a rules/part.sch changed", "unchanged b"]);
    const gone = side({ "rules/x.sch": "3" }, "rules/x.sch");
    expect(pairSources(before, gone).map(said)).toEqual([
      "changed a (spec.validation.schematron) rules/a.sch removed rules/part.sch removed",
      "unchanged b",
    ]);
  });
});
