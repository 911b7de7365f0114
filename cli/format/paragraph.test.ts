import { describe, expect, it } from "vitest";
import { paragraph } from "./paragraph.js";

const table = [
  { name: "a line that fits", text: "three short words", expect: "  head  three short words" },
  {
    name: "more than a line: indented below its beginning",
    text: "one two three four five six seven",
    expect: "  head  one two three four\n        five six seven",
  },
  {
    name: "a word that is longer stays whole",
    text: "see https://example.org/a/long/address now",
    expect: "  head  see\n        https://example.org/a/long/address\n        now",
  },
];

describe("paragraph", () => {
  it.each(table)("$name", ({ text, expect: expected }) => {
    expect(paragraph("  head  ", text, 28)).toBe(expected);
  });
});
