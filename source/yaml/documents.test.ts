import { describe, expect, it } from "vitest";
import { parseManifests } from "../parse.js";

/** A whole manifest; the extra lines stand under spec, from line 8 on. */
function manifest(extra = ""): string {
  return `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata: { name: t }
spec:
  baseUrl: https://metadata.example.gov/oai
  metadataPrefix: iso19139
  schedule: "0 * * * *"
${extra}`;
}

interface Case {
  readonly name: string;
  readonly text: string | Uint8Array;
  /** `rule line:column+length`, in the order told. */
  readonly expect: readonly string[];
  readonly says?: string | RegExp;
}

function told(text: string | Uint8Array): { lines: string[]; words: string } {
  const { findings } = parseManifests(text, { file: "a.yaml", named: true });
  return {
    lines: findings.map(
      ({ rule, place }) => `${rule} ${String(place.line)}:${String(place.column)}+${String(place.length)}`,
    ),
    words: findings.map(({ sentence, remedy }) => `${sentence} ${remedy ?? ""}`).join("\n"),
  };
}

function table(cases: readonly Case[]): void {
  it.each(cases)("$name", ({ text, expect: expected, says }) => {
    const result = told(text);
    expect(result.lines).toEqual(expected);
    if (says !== undefined) expect(result.words).toMatch(says);
  });
}

describe("what is not YAML", () => {
  table([
    {
      name: "HTML",
      text: "<html>\n<p>a: b</p>",
      expect: ["yaml/syntax 1:1+6"],
      says: "Is this a YAML file?",
    },
    {
      name: "a tab as indentation",
      text: manifest("  delta:\n\toverlapSeconds: 3\n"),
      expect: ["yaml/tab 9:1+1"],
      says: "spaces",
    },
    {
      name: "a schedule that begins with a star, without quotes",
      text: manifest("  x: */30 * * * *\n"),
      expect: ["yaml/alias 8:11+1"],
      says: /quotes, e\.g\. schedule: "\*\/30/,
    },
    { name: "five bare stars", text: manifest("  x: * * * * *\n"), expect: ["yaml/alias 8:6+1"] },
    {
      name: "@every without quotes",
      text: manifest("  x: @every 6h\n"),
      expect: ["yaml/syntax 8:6+1"],
      says: '"@every 6h"',
    },
    {
      name: "a quote that is not closed",
      text: manifest('  x: "abc\n'),
      expect: ["yaml/syntax 8:9+1"],
      says: "missing",
    },
    {
      name: "a bracket that is not closed",
      text: manifest("  sets: [a, b\n"),
      expect: ["yaml/syntax 8:13+1"],
      says: "close every [",
    },
    {
      name: "a field indented too far",
      text: manifest("  suspend: true\n    x: 1\n"),
      expect: ["yaml/syntax 8:12+1"],
      says: "line fields of one map up",
    },
    {
      name: "an alias without anchor",
      text: manifest("  x: *base\n"),
      expect: ["yaml/alias 8:6+5"],
      says: "*base has no anchor",
    },
    { name: "an unknown tag", text: manifest("  x: !secret y\n"), expect: ["yaml/tag 8:6+7"] },
    {
      name: "a key that stands twice",
      text: manifest('  schedule: "0 1 * * *"\n'),
      expect: ["yaml/duplicate-key 8:3+8"],
      says: "first on line 7",
    },
    {
      name: "a key that stands twice far inside",
      text: manifest("  delta: { mode: full, overlapSeconds: 1, mode: full }\n"),
      expect: ["yaml/duplicate-key 8:43+4"],
    },
    {
      name: "UTF-16",
      text: new Uint8Array([0xff, 0xfe, 0x61, 0x00]),
      expect: ["yaml/encoding 1:1+1"],
      says: "UTF-16",
    },
    {
      name: "Latin-1",
      text: new Uint8Array([0x61, 0x3a, 0x20, 0xe9]),
      expect: ["yaml/encoding 1:1+1"],
      says: "not UTF-8",
    },
    { name: "more than a megabyte", text: "#".repeat(1024 * 1024 + 1), expect: ["yaml/too-big 1:1+1"] },
  ]);
});

describe("hostile YAML costs neither time nor the process", () => {
  const laughs = [
    "a: &a [x,x,x,x,x,x,x,x,x,x]",
    ..."bcdefghi".split("").map(
      (c, i) =>
        `${c}: &${c} [${Array(10)
          .fill(`*${"abcdefgh"[i] ?? ""}`)
          .join(",")}]`,
    ),
  ];
  table([
    { name: "an alias bomb", text: laughs.join("\n"), expect: ["yaml/alias 1:1+1"], says: "multiply" },
    { name: "twenty thousand open brackets", text: "[".repeat(20_000), expect: ["yaml/too-deep 1:1+1"] },
    { name: "twenty thousand nested maps", text: "{a: ".repeat(20_000), expect: ["yaml/too-deep 1:1+1"] },
    { name: "twenty thousand nested list items", text: "- ".repeat(20_000), expect: ["yaml/too-deep 1:1+1"] },
    { name: "twenty thousand keys on one line", text: "a: ".repeat(20_000), expect: ["yaml/too-deep 1:1+1"] },
    {
      name: "a stair of a thousand steps",
      text: Array.from({ length: 1000 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
      expect: ["yaml/too-deep 1:1+1"],
    },
    { name: "three thousand documents", text: "---\n{}\n".repeat(3000), expect: ["yaml/too-big 1:1+1"] },
    {
      name: "an alias to its own parent",
      text: manifest("  x: &x { a: *x }\n"),
      expect: ["schema/unknown-field 8:3+1"],
    },
    {
      name: "a kind that is an alias to itself",
      text: "apiVersion: ingest.geoportal.io/v1\nkind: &k [*k]\n",
      expect: ["manifest/kind 2:1+4"],
    },
    {
      name: "__proto__ as a field",
      text: manifest("  __proto__: { mtls: true }\n"),
      expect: ["schema/unknown-field 8:3+9"],
    },
  ]);

  it("tells at most 25 findings of one manifest", () => {
    const extra = Array.from({ length: 200 }, (_, i) => `  x${String(i)}: 1`).join("\n");
    expect(told(manifest(extra)).lines).toHaveLength(25);
  });
});
