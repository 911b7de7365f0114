import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { yamlText } from "./yaml-text.js";

describe("YAML of JSON values", () => {
  it("is one for people, with sorted keys and texts in quotes", () => {
    const value = {
      sets: ["b", "a"],
      on: true,
      delta: { mode: "full", empty: {}, none: [] },
      absent: undefined,
      date: "2026-11-30",
      odd: "a\u0085b: #\u{1f30d}",
    };
    expect(yamlText(value)).toBe(`date: "2026-11-30"
delta:
  empty: {}
  mode: "full"
  none: []
odd: "a\\u0085b: #\\ud83c\\udf0d"
"on": true
sets:
  - "b"
  - "a"
`);
  });

  it.each(["1.2", "1.1"] as const)("is read back by YAML %s as it was", (version) => {
    const key = fc
      .string({ unit: "binary", minLength: 1, maxLength: 8 })
      .filter((text) => text !== "__proto__");
    const scalar = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("", "yes", "null", "~", "0x1f", "1e3", "- a", "a: b", "#", "|", "<<"),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const { value } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        scalar,
        fc.array(tie("value"), { maxLength: 3 }),
        tie("object"),
      ),
      object: fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true }), (object) => {
        expect(parse(yamlText(object), { version })).toEqual(object);
      }),
      { numRuns: 300 },
    );
  });
});
