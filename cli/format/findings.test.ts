import { describe, expect, it } from "vitest";
import type { Finding } from "../../source/finding.js";
import { noColour } from "./colour.js";
import { countsText, findingsText } from "./findings.js";

const text = `kind: HarvestSource
spec:
  concurrency:
    maxRequests: 20\u001b[31m
  sets: [${"a, ".repeat(60)}wrong, ${"b, ".repeat(60)}c]
`;

function finding(place: Partial<Finding["place"]>, more: Partial<Finding> = {}): Finding {
  return {
    rule: "fair-use/over-ceiling",
    severity: "error",
    place: { file: "m/county.yaml", line: 4, column: 18, length: 2, ...place },
    sentence: "county-gis asks for 20 requests in flight from a.example.gov; its ceiling is 10.",
    remedy: "Lower it.",
    ...more,
  };
}

function shown(findings: readonly Finding[], width = 80): string {
  return findingsText(findings, { theme: noColour, width, texts: new Map([["m/county.yaml", text]]) });
}

describe("findings for people", () => {
  it("show place, line, caret, sentence and remedy, and obey no control character of the file", () => {
    expect(shown([finding({})])).toBe(
      [
        "m/county.yaml:4:18  error  fair-use/over-ceiling",
        "    4 |     maxRequests: 20 [31m",
        "      |                  ^^",
        "  county-gis asks for 20 requests in flight from a.example.gov; its ceiling is",
        "  10.",
        "  Lower it.",
      ].join("\n"),
    );
  });

  it("cut a long line around what is meant", () => {
    const [, line = "", caret = ""] = shown([finding({ line: 5, column: 190, length: 5 })]).split("\n");
    expect(line.length).toBeLessThanOrEqual(80);
    expect(line.slice(caret.indexOf("^"), caret.lastIndexOf("^") + 1)).toBe("wrong");
  });

  it("show no line where there is none, and keep two findings apart", () => {
    const both = shown([
      finding({ line: 99 }),
      finding({ file: "other.yaml" }, { remedy: undefined as never }),
    ]);
    expect(both.split("\n\n")).toHaveLength(2);
    expect(both).not.toContain("|");
  });

  it("are counted", () => {
    expect(
      countsText(1, [finding({}), finding({}, { severity: "warning" }), finding({}, { severity: "info" })]),
    ).toBe("1 source, 1 error, 1 warning.");
    expect(countsText(12, [])).toBe("12 sources, 0 errors, 0 warnings.");
  });
});
