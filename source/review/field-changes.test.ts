import { describe, expect, it } from "vitest";
import { fieldChanges } from "./field-changes.js";
import type { FieldChange } from "./source-change.js";
import { manifest, treeOf } from "./tree-for-tests.js";

function only(text: string) {
  return treeOf({ manifests: { "a.yaml": text } }).sources[0]!;
}

function withLabels(lines: readonly string[]): string {
  return manifest("a").replace("  name: a", ["  name: a", ...lines].join("\n"));
}

const longSet = Array.from({ length: 60 }, (_, i) => `set-${String(i)}`);

describe("fieldChanges", () => {
  const table: { name: string; before: string; after: string; expected: FieldChange[] }[] = [
    {
      name: "a default that is overridden",
      before: manifest("a"),
      after: manifest("a", { concurrency: { maxRequests: 4 } }),
      expected: [
        {
          field: "spec.concurrency.maxRequests",
          before: 1,
          after: 4,
          beforeIsDefault: true,
          afterIsDefault: false,
        },
      ],
    },
    {
      name: "back to the default",
      before: manifest("a", { delta: { overlapSeconds: 60 } }),
      after: manifest("a", { delta: {} }),
      expected: [
        {
          field: "spec.delta.overlapSeconds",
          before: 60,
          after: 300,
          beforeIsDefault: false,
          afterIsDefault: true,
        },
      ],
    },
    {
      name: "an empty field is a default",
      before: manifest("a", { suspend: true }),
      after: `${manifest("a")}  suspend:\n`,
      expected: [
        { field: "spec.suspend", before: true, after: false, beforeIsDefault: false, afterIsDefault: true },
      ],
    },
    {
      name: "a default written out",
      before: manifest("a"),
      after: manifest("a", { suspend: false, timeZone: "Etc/UTC" }),
      expected: [],
    },
    {
      name: "a field without a default",
      before: manifest("a"),
      after: manifest("a", { transport: { clientCertificate: { secretName: "s" }, mtls: true } }),
      expected: [
        {
          field: "spec.transport.clientCertificate.secretName",
          after: "s",
          beforeIsDefault: false,
          afterIsDefault: false,
        },
        {
          field: "spec.transport.mtls",
          before: false,
          after: true,
          beforeIsDefault: true,
          afterIsDefault: false,
        },
      ],
    },
    {
      name: "labels, the first and one with a prefix",
      before: manifest("a"),
      after: withLabels(["  labels:", "    team: coast", "    app.example/part: x"]),
      expected: [
        {
          field: 'metadata.labels."app.example/part"',
          after: "x",
          beforeIsDefault: false,
          afterIsDefault: false,
        },
        { field: "metadata.labels.team", after: "coast", beforeIsDefault: false, afterIsDefault: false },
      ],
    },
    {
      name: "one of many sets",
      before: manifest("a", { sets: longSet }),
      after: manifest("a", { sets: [...longSet.slice(1), "water"] }),
      expected: [
        { field: "spec.sets[set-0]", before: "set-0", beforeIsDefault: false, afterIsDefault: false },
        { field: "spec.sets[water]", after: "water", beforeIsDefault: false, afterIsDefault: false },
      ],
    },
    {
      name: "one of two rule files",
      before: manifest("a", { validation: { schematron: ["a.sch", "b.sch"] } }),
      after: manifest("a", { validation: { schematron: ["a.sch", "c.sch"] } }),
      expected: [
        {
          field: "spec.validation.schematron[1]",
          before: "b.sch",
          after: "c.sch",
          beforeIsDefault: false,
          afterIsDefault: false,
        },
      ],
    },
  ];
  it.each(table)("$name", ({ before, after, expected }) => {
    expect(fieldChanges(only(before), only(after))).toEqual(expected);
  });

  it("takes what an anchor says for written", () => {
    const text = manifest("a").replace(
      "spec:",
      "spec:\n  delta: &d { overlapSeconds: 10 }\n  token: { cacheTtlSeconds: 9 }",
    );
    const merged = text.replace("{ overlapSeconds: 10 }", "{ overlapSeconds: 10, mode: full }");
    expect(fieldChanges(only(text), only(merged))).toEqual([
      {
        field: "spec.delta.mode",
        before: "from-cursor",
        after: "full",
        beforeIsDefault: true,
        afterIsDefault: false,
      },
    ]);
  });
});
