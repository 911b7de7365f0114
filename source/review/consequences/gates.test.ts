import { describe, expect, it } from "vitest";
import type { ImpactFacts, ReviewFacts } from "../facts.js";
import { manifest, type TestTree } from "../tree-for-tests.js";
import { known, told, toldOfOne, type OneSource } from "./tell-for-tests.js";

const both = { validation: { xsd: "schemas/a.xsd", schematron: ["rules/a.sch", "rules/b.sch"] } };

describe("gates of a source", () => {
  const table: readonly OneSource[] = [
    {
      name: "one more rule set",
      before: { validation: { schematron: "rules/a.sch" } },
      after: { validation: { schematron: ["rules/a.sch", "rules/b.sch"] } },
      store: known,
      expected: [
        "info gate-added: Records of a must pass rules/b.sch too; what does not is quarantined; how many of its 12,481 records do not is not known.",
      ],
    },
    {
      name: "the first schema, where a refusal stops the run",
      before: { validation: { onFailure: "fail" } },
      after: { validation: { onFailure: "fail", xsd: "schemas/a.xsd" } },
      expected: ["info gate-added: Records of a must pass schemas/a.xsd too; what does not stops the run."],
    },
    {
      name: "one rule set less",
      before: both,
      after: { validation: { xsd: "schemas/a.xsd", schematron: ["rules/a.sch"] } },
      store: known,
      expected: [
        "warning rule-removed-from-source: Records of a need no longer pass rules/b.sch. 3 records are quarantined now and may come in.",
      ],
    },
    {
      name: "another order, and a list of one instead of a text",
      before: { validation: { schematron: "rules/a.sch" } },
      after: { validation: { schematron: ["rules/a.sch"] } },
      expected: [],
    },
    {
      name: "no rules any more",
      before: both,
      after: { validation: { xsd: "schemas/a.xsd" } },
      expected: [
        "warning gate-removed: No rule set checks the content of the records of a any more (rules/a.sch and rules/b.sch). How many quarantined records come in by that is not known.",
      ],
    },
    {
      name: "nothing that refuses any more, and nothing quarantined",
      before: { validation: { xsd: "schemas/a.xsd" } },
      store: { records: 10, quarantined: 0 },
      expected: [
        "warning gate-removed: No schema checks the structure of the records of a any more (schemas/a.xsd). Nothing is left that refuses a record.",
      ],
    },
    {
      name: "another phase",
      before: { validation: { schematron: "rules/a.sch" } },
      after: { validation: { schematron: "rules/a.sch", phase: "essential" } },
      expected: [
        "warning phase-changed: Records of a are asked the patterns of phase essential instead of the rule set's own phase.",
      ],
    },
    {
      name: "fail, with a quarantine that is not empty",
      after: { validation: { onFailure: "fail" } },
      store: known,
      expected: [
        "warning quarantine-to-fail: A refused record of a stops the run before its watermark; until now it was put aside. 3 records are quarantined now: each of them, when it comes again, stops the run.",
      ],
    },
    {
      name: "fail, with an empty quarantine",
      after: { validation: { onFailure: "fail" } },
      store: { records: 10, quarantined: 0 },
      expected: [
        "warning quarantine-to-fail: A refused record of a stops the run before its watermark; until now it was put aside. No record is quarantined now.",
      ],
    },
    {
      name: "fail, and nobody knows the quarantine",
      after: { validation: { onFailure: "fail" } },
      expected: [
        "warning quarantine-to-fail: A refused record of a stops the run before its watermark; until now it was put aside. How many records are quarantined now is not known.",
      ],
    },
    {
      name: "quarantine",
      before: { validation: { onFailure: "fail" } },
      expected: [
        "info fail-to-quarantine: A refused record of a is put aside and the run goes on; until now it stopped the run.",
      ],
    },
  ];
  it.each(table)("$name", (given) => {
    expect(toldOfOne(given)).toEqual(given.expected);
  });

  it("takes a rule file under a new name for the same gate", () => {
    const side = (file: string) => ({
      manifests: { "a.yaml": manifest("a", { validation: { schematron: file } }) },
      policyFiles: { [file]: "one" },
    });
    expect(told(side("rules/a.sch"), side("rules/new.sch")).map((each) => each.split(":")[0])).toEqual([
      "warning rule-changed",
      "warning rule-changed",
    ]);
  });
});

const manifests = Object.fromEntries(
  ["a", "b", "c"].map((name) => [
    `${name}.yaml`,
    manifest(name, {
      baseUrl: `https://${name}.example/oai`,
      validation: { xsd: "schemas/iso.xsd", schematron: "rules/geo.sch" },
    }),
  ]),
);
const closures = {
  "schemas/iso.xsd": ["schemas/iso.xsd", "schemas/iso/gmd.xsd"],
  "rules/geo.sch": ["rules/geo.sch", "rules/abstract.sch"],
};

function side(policyFiles: Readonly<Record<string, string>>): TestTree {
  return { manifests, closures, policyFiles };
}

const files = {
  "schemas/iso.xsd": "1",
  "schemas/iso/gmd.xsd": "2",
  "rules/geo.sch": "3",
  "rules/abstract.sch": "4",
  "rules/nobody.sch": "5",
};

const impact: ImpactFacts = {
  judged: 12481,
  records: 12481,
  sources: [
    { key: "a", judged: 12000, newlyQuarantined: 30, released: 5 },
    { key: "b", judged: 400, newlyQuarantined: 7, released: 0 },
    { key: "c", judged: 81, newlyQuarantined: 0, released: 0 },
  ],
};

describe("files of the policy", () => {
  const table: {
    name: string;
    after: Readonly<Record<string, string>>;
    facts?: ReviewFacts;
    expected: string[];
  }[] = [
    {
      name: "a rule set, replayed",
      after: { ...files, "rules/geo.sch": "new" },
      facts: { impact },
      expected: [
        "warning rule-changed: rules/geo.sch changes: it judges records of 3 sources (a, b and c). Of 12,481 stored records judged by both sides, 37 would be newly quarantined and 5 released.",
      ],
    },
    {
      name: "a rule set that changes no verdict of a sample",
      after: { ...files, "rules/geo.sch": "new" },
      facts: {
        impact: {
          judged: 500,
          records: 12481,
          sources: [{ key: "a", judged: 500, newlyQuarantined: 0, released: 0 }],
        },
      },
      expected: [
        "info rule-changed: rules/geo.sch changes: it judges records of 3 sources (a, b and c). Of 500 stored records judged by both sides, a sample, 0 would be newly quarantined and 0 released.",
      ],
    },
    {
      name: "what a rule set includes",
      after: { ...files, "rules/abstract.sch": "new" },
      expected: [
        "warning rule-changed: rules/abstract.sch changes: it judges records of 3 sources (a, b and c). What it does to stored records is not known.",
      ],
    },
    {
      name: "what a schema imports",
      after: { ...files, "schemas/iso/gmd.xsd": "new" },
      expected: [
        "warning schema-changed: schemas/iso/gmd.xsd changes: it judges records of 3 sources (a, b and c). What it does to stored records is not known.",
      ],
    },
    {
      name: "a schema that changes no verdict",
      after: { ...files, "schemas/iso.xsd": "new" },
      facts: {
        impact: {
          judged: 81,
          records: 81,
          sources: [{ key: "c", judged: 81, newlyQuarantined: 0, released: 0 }],
        },
      },
      expected: [
        "info schema-changed: schemas/iso.xsd changes: it judges records of 3 sources (a, b and c). Of 81 stored records judged by both sides, 0 would be newly quarantined and 0 released.",
      ],
    },
    {
      name: "a file that goes",
      after: Object.fromEntries(Object.entries(files).filter(([path]) => path !== "rules/abstract.sch")),
      expected: [
        "warning rule-changed: rules/abstract.sch is gone: it judges records of 3 sources (a, b and c). What it does to stored records is not known.",
      ],
    },
    { name: "a file no source uses", after: { ...files, "rules/nobody.sch": "new" }, expected: [] },
    { name: "a new file no source uses", after: { ...files, "rules/new.sch": "new" }, expected: [] },
  ];
  it.each(table)("$name", ({ after, facts, expected }) => {
    expect(told(side(files), side(after), facts)).toEqual(expected);
  });
});
