import { describe, expect, it } from "vitest";
import { parseXPath } from "./parser.js";
import { printXPath } from "./print.js";

const same = [
  "gmd:a/gmd:b[1]/@c",
  "//a[b = 'x']//c",
  "/",
  "/*[1]",
  ".",
  "..//a",
  "@*",
  "child::text()",
  'processing-instruction("p")',
  "id('x')/a[1]",
  "(//a)[1]/b",
  "(a | b)[c]/d",
  "a or b and c = d + e * -f",
  "(a or b) and c",
  "a - (b - c)",
  "a - b - c",
  "-(a + b)",
  "div div div",
  "* * *",
  "gml:*",
  "$a + $b:c",
  "count(a[not(b)]) > 0 or string-length(normalize-space(.)) mod 2 = 1",
  "ancestor-or-self::a[last()]",
  "or",
  ".5 + 10. + 3.14",
];

describe("XPath 1.0 read and written again", () => {
  it.each(same)("%s", (source) => {
    expect(printXPath(parseXPath(source))).toBe(source.replaceAll("'", '"'));
  });

  it("writes a text with both quotes by concat()", () => {
    expect(printXPath({ kind: "literal", value: `it's "so"` })).toBe(`concat("it's ", '"', "so", '"', "")`);
  });

  it.each([
    { source: "a[", why: "a name is missing at the end" },
    { source: "a]", why: '"]" is not expected where it stands' },
    { source: "for $x in a return b", why: '"x" is not expected where it stands' },
    { source: "if (a) then b else c", why: '"then" is not expected where it stands' },
    { source: "a/string()", why: "the function string() cannot stand as a step of a path in XPath 1.0" },
    { source: "sideways::a", why: '"sideways::" is not an axis of XPath 1.0' },
    { source: "a # b", why: '"# b" at character 3 is not XPath 1.0' },
    { source: "f(a", why: '")" is missing at the end' },
    { source: `${"(".repeat(101)}1${")".repeat(101)}`, why: "it nests deeper than 100 levels" },
    { source: `${"a or ".repeat(1001)}a`, why: "it has more than 1000 operators and steps" },
    { source: `a${"/a".repeat(1000)}`, why: "it has more than 1000 operators and steps" },
    { source: `'${"x".repeat(16_384)}'`, why: "it has 16386 characters, and at most 16384 are accepted" },
  ])("refuses $why", ({ source, why }) => {
    expect(() => parseXPath(source)).toThrow(why);
  });
});
