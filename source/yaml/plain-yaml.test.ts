import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ambiguousScalars } from "../schema/ambiguous-scalar.js";
import { readDocuments } from "./documents.js";
import { readPlainYaml } from "./plain-yaml.js";

/** What the library reads, where it reads one map without a word. */
function byLibrary(text: string): unknown {
  const { documents, findings } = readDocuments(text, "m.yaml");
  const [document] = documents;
  const clean = documents.length === 1 && findings.length === 0 && document !== undefined;
  if (!clean || ambiguousScalars(document).length > 0) return "not plain";
  return document.value;
}

/** Whatever is read here is what the library reads. */
function agree(text: string): boolean {
  const plain = readPlainYaml(text);
  if (plain === undefined) return false;
  expect({ text, value: plain }).toEqual({ text, value: byLibrary(text) });
  return true;
}

const folder = join(import.meta.dirname, "../../manifests/sources");
const manifests = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(join(folder, name), "utf8"));

describe("plain YAML", () => {
  it("is what the manifests of this repository are written in", () => {
    expect(manifests.map((text) => agree(text))).toEqual(manifests.map(() => true));
  });

  it.each([
    { text: "a: 1", value: { a: 1 } },
    { text: "---\na: b c", value: { a: "b c" } },
    { text: 'a: "x: # y" # z', value: { a: "x: # y" } },
    { text: "a: http://x:80/y?z=1&b=*", value: { a: "http://x:80/y?z=1&b=*" } },
    { text: "a:\n- x\n- 'y'\nb: true", value: { a: ["x", "y"], b: true } },
    { text: "a:\n    # why\n    b:  # c\n      d: it's  # e", value: { a: { b: { d: "it's" } } } },
    { text: 'ingest.geoportal.io/paused: "no"', value: { "ingest.geoportal.io/paused": "no" } },
  ])("is read: $text", ({ text, value }) => {
    expect(readPlainYaml(text)).toEqual(value);
    expect(agree(text)).toBe(true);
  });

  it.each([
    "",
    "# nothing",
    "a",
    "- a",
    "a:",
    "a:\nb: 1",
    "a: yes",
    "a: ~",
    "a: null",
    "a: 0300",
    "a: 1_000",
    "a: 1.5",
    "a: 12:30",
    "a: 2027-03-01",
    "a: 0x1f",
    "a: -1",
    "a: True",
    "yes: 1",
    "a: *b",
    "a: &b c",
    "a: !x y",
    "a: |\n  b",
    "a: {b: {c: d}}",
    "a: {b:c}",
    "a: {b: 1, b: 2}",
    "a: [b, [c]]",
    "a: [1]",
    "a: []",
    "a: {}",
    "a: [b,]",
    "a: [b\n]",
    "a: [b]c",
    "a: {b}",
    "a: [b: c]",
    "a: [yes]",
    "a: [b}",
    "a: b: c",
    "a: b:",
    "a: b\n  c",
    "a:\n  b",
    "a: 1\na: 2",
    "a: 1\n b: 2",
    " a: 1\nb: 2",
    "a: 1\n---\nb: 2",
    "a: 1\n...",
    "a:\tb",
    'a: "b\\n"',
    "a: 'it''s'",
    'a: "b" c',
    "a: b\u00a0",
    "a: b\u2028c",
    "a: 1\r\nb: 2",
    "__proto__: 1",
    "constructor: 1",
    "a:\n  - b\n  c: d",
    "a:\n- b: c",
    "a:\n- - b",
    "a:\n-\n- b",
    "a: @b",
    "a: `b`",
    "a: %b",
    "? a",
    "a: b#c",
    "<<: a",
    "a:\n- 1",
  ])("is not guessed at: %j", (text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });

  it("is read as the library reads it, whatever is put into a manifest", () => {
    const pieces = fc.constantFrom(
      " ",
      "  ",
      "\n",
      ": ",
      ":",
      "#",
      " # x",
      "- ",
      "-",
      "---\n",
      "yes",
      "0",
      "1_0",
      "1:2",
      '"',
      "'",
      "\\",
      "a",
      "a: b",
      "*",
      "&a ",
      "{",
      "]",
      "~",
      "\t",
      "?",
      "é",
      "\u00a0",
      ".",
      "...",
      "|",
      ">",
      "!",
      "%",
      "@",
      ",",
      "null",
      "e5",
      "0o7",
    );
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(4), fc.array(pieces, { maxLength: 3 })), {
      minLength: 1,
      maxLength: 4,
    });
    let read = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(
          ...manifests,
          "a: b\nc:\n  - d\n  - e f\ng:\n  h: 1\ni: [j, k l]\nm: { n: 1, o: p }\n",
        ),
        edits,
        (manifest, changes) => {
          let text = manifest;
          for (const [where, remove, insert] of changes) {
            const at = where % (text.length + 1);
            text = text.slice(0, at) + insert.join("") + text.slice(at + remove);
          }
          if (agree(text)) read += 1;
        },
      ),
      { numRuns: 3000, seed: 20261201 },
    );
    expect(read).toBeGreaterThan(300);
  });

  it("is read as the library reads it, whatever lines it is made of", () => {
    const line = fc.tuple(
      fc.constantFrom("", " ", "  ", "    "),
      fc.constantFrom("", "- ", "a: ", "b: ", "c:", "y: ", "- - "),
      fc.constantFrom(
        "",
        "x",
        "x y",
        "1",
        "01",
        "'q'",
        '"q"',
        "x:y",
        "x: y",
        "true",
        "no",
        "# c",
        "x # c",
        "x#c",
        "é",
        "-",
        "- z",
        "1e3",
        "0b1",
        "[a, b]",
        "{ a: b }",
        "[a, 'b']",
        "[a:b]",
        "{a: b, c}",
        "[a # b]",
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 7 }), (lines) => {
        agree(lines.map((parts) => parts.join("")).join("\n"));
      }),
      { numRuns: 5000, seed: 4711 },
    );
  });
});
