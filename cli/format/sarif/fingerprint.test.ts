import { describe, expect, it } from "vitest";
import type { Finding } from "../../../source/finding.js";
import { fingerprints } from "./fingerprint.js";

const text = `metadata:
  name: a
spec:
  concurrency:
    maxRequests: 5
---
metadata: { name: b }
spec:
  concurrency:
    maxRequests: 5
  limits:
    maxRequests: 5
`;

function at(line: number, rule = "fair-use/over-ceiling"): Finding {
  return {
    rule,
    severity: "error",
    place: { file: "m.yaml", line, column: 5, length: 1 },
    sentence: "x",
  };
}

function marks(findings: readonly Finding[], written = text): readonly string[] {
  return fingerprints(findings, new Map([["m.yaml", written]]));
}

describe("a fingerprint", () => {
  it("tells rule, document and parents of a line apart, and counts what is the same", () => {
    const [a, b, limits, other, again] = marks([at(5), at(10), at(12), at(12, "limits/x"), at(12)]);
    expect(new Set([a, b, limits, other]).size).toBe(4);
    expect(again).toBe(String(limits).replace(/:1$/, ":2"));
  });

  it.each([
    { name: "lines above it", change: (t: string) => `# a comment\n\n${t}` },
    { name: "another document before it", change: (t: string) => `metadata: { name: new }\n---\n${t}` },
    {
      name: "a field between it and its parent",
      change: (t: string) => t.replace("    maxR", "    x: 1\n    maxR"),
    },
    {
      name: "a comment behind it",
      change: (t: string) => t.replace("maxRequests: 5", "maxRequests: 5   # why"),
    },
    { name: "Windows line ends", change: (t: string) => t.replaceAll("\n", "\r\n") },
    { name: "deeper indentation", change: (t: string) => t.replaceAll("    maxR", "      maxR") },
  ])("stays the same after $name", ({ change }) => {
    const changed = change(text);
    const line = changed.split(/\r?\n/).findIndex((each) => each.includes("maxRequests: 5")) + 1;
    expect(marks([at(line)], changed)).toEqual(marks([at(5)]));
  });

  it.each([
    { name: "its own words", change: (t: string) => t.replace("maxRequests: 5", "maxRequests: 6") },
    { name: "the name of its source", change: (t: string) => t.replace("name: a", "name: c") },
  ])("changes with $name", ({ change }) => {
    expect(marks([at(5)], change(text))).not.toEqual(marks([at(5)]));
  });

  it("is made for a file without text, and for a line that is not there", () => {
    expect(fingerprints([at(1), at(9)], new Map())).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}:1$/),
      expect.stringMatching(/^[0-9a-f]{32}:2$/),
    ]);
  });
});
