import { describe, expect, it } from "vitest";
import { specDifferences } from "./spec-differences.js";
import type { FieldDifference } from "./field-difference.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";

type Fields = Readonly<Record<string, unknown>>;

function spec(more: Fields = {}): HarvestSource["spec"] {
  return {
    baseUrl: "https://a.example/oai",
    metadataPrefix: "oai_dc",
    schedule: "0 * * * *",
    ...more,
  } as unknown as HarvestSource["spec"];
}

const longSet = Array.from({ length: 60 }, (_, i) => `set-${String(i)}`);

describe("specDifferences", () => {
  const table: { name: string; delivered: Fields; live: Fields; expected: FieldDifference[] }[] = [
    { name: "nothing", delivered: {}, live: {}, expected: [] },
    { name: "a default written out", delivered: {}, live: { suspend: false }, expected: [] },
    {
      name: "a set in another order",
      delivered: { sets: ["a", "b"] },
      live: { sets: ["b", "a"] },
      expected: [],
    },
    {
      name: "a changed value",
      delivered: {},
      live: { schedule: "5 * * * *" },
      expected: [{ field: "spec.schedule", delivered: '"0 * * * *"', live: '"5 * * * *"' }],
    },
    {
      name: "a default that was overridden",
      delivered: {},
      live: { suspend: true },
      expected: [{ field: "spec.suspend", delivered: "false", live: "true" }],
    },
    {
      name: "a nested value",
      delivered: { concurrency: { maxRequests: 2 } },
      live: { concurrency: { maxRequests: 9, requestsPerSecond: 5 } },
      expected: [
        { field: "spec.concurrency.maxRequests", delivered: "2", live: "9" },
        { field: "spec.concurrency.requestsPerSecond", live: "5" },
      ],
    },
    {
      name: "sets added",
      delivered: {},
      live: { sets: ["water"] },
      expected: [{ field: "spec.sets", live: '["water"]' }],
    },
    {
      name: "sets removed",
      delivered: { sets: ["water"] },
      live: {},
      expected: [{ field: "spec.sets", delivered: '["water"]' }],
    },
    {
      name: "a short set",
      delivered: { sets: ["land"] },
      live: { sets: ["land", "water"] },
      expected: [{ field: "spec.sets", delivered: '["land"]', live: '["land","water"]' }],
    },
    {
      name: "a long set, item by item",
      delivered: { sets: longSet },
      live: { sets: [...longSet.slice(1), "water"] },
      expected: [
        { field: "spec.sets[set-0]", delivered: '"set-0"' },
        { field: "spec.sets[water]", live: '"water"' },
      ],
    },
    {
      name: "one item of a list",
      delivered: { validation: { xsd: ["a.xsd", "b.xsd"] } },
      live: { validation: { xsd: ["a.xsd", "c.xsd"] } },
      expected: [{ field: "spec.validation.xsd[1]", delivered: '"b.xsd"', live: '"c.xsd"' }],
    },
    {
      name: "a list of another length, or a text instead",
      delivered: { validation: { xsd: ["a.xsd"], schematron: ["a.sch"] } },
      live: { validation: { xsd: ["a.xsd", "c.xsd"], schematron: "a.sch" } },
      expected: [
        { field: "spec.validation.schematron", delivered: '["a.sch"]', live: '"a.sch"' },
        { field: "spec.validation.xsd", delivered: '["a.xsd"]', live: '["a.xsd","c.xsd"]' },
      ],
    },
    {
      name: "a value too long to tell",
      delivered: {},
      live: { baseUrl: `https://a.example/${"x".repeat(1000)}` },
      expected: [
        {
          field: "spec.baseUrl",
          delivered: '"https://a.example/oai"',
          live: `"https://a.example/${"x".repeat(492)}…`,
        },
      ],
    },
    {
      name: "a cut that would halve a character",
      delivered: {},
      live: { baseUrl: `https://a.example/${"x".repeat(491)}😀😀` },
      expected: [
        {
          field: "spec.baseUrl",
          delivered: '"https://a.example/oai"',
          live: `"https://a.example/${"x".repeat(491)}…`,
        },
      ],
    },
  ];
  it.each(table)("$name", ({ delivered, live, expected }) => {
    expect(specDifferences(spec(delivered), spec(live))).toEqual(expected);
  });
});
