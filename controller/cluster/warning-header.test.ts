import { describe, expect, it } from "vitest";
import { warningTexts } from "./warning-header.js";

describe("warningTexts", () => {
  it.each([
    { name: "absent", header: undefined, expect: [] },
    { name: "one", header: '299 - "unknown field \\"spec.a\\""', expect: ['unknown field "spec.a"'] },
    { name: "two in one header", header: '299 - "a, b", 299 - "c"', expect: ["a, b", "c"] },
    { name: "two headers", header: ['299 - "a"', '299 kube "b"'], expect: ["a", "b"] },
    { name: "another code", header: '199 - "old"', expect: [] },
    { name: "junk", header: "299", expect: [] },
    { name: "unfinished", header: '299 - "abc', expect: [] },
    {
      name: "quotes and 299 inside a text",
      header: '299 - "say \\"x\\", 299 times"',
      expect: ['say "x", 299 times'],
    },
    {
      name: "a flood is cut",
      header: Array.from({ length: 50 }, (_, i) => `299 - "${String(i)}"`),
      expect: Array.from({ length: 20 }, (_, i) => String(i)),
    },
  ])("$name", ({ header, expect: expected }) => {
    expect(warningTexts(header)).toEqual(expected);
  });
});
