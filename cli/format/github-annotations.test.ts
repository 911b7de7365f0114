import { describe, expect, it } from "vitest";
import type { Finding, Severity } from "../../source/finding.js";
import { githubAnnotations } from "./github-annotations.js";

function finding(severity: Severity, more: Partial<Finding> = {}): Finding {
  return {
    rule: "schedule/never-runs",
    severity,
    place: { file: "./m/a.yaml", line: 7, column: 13, length: 12 },
    sentence: "There is no 31 February.",
    remedy: "Correct the day.",
    ...more,
  };
}

function many(severity: Severity, n: number): readonly Finding[] {
  return Array.from({ length: n }, () => finding(severity));
}

function kinds(text: string): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const line of text.split("\n")) {
    const kind = /^::(\w+) /.exec(line)?.[1] ?? "?";
    found[kind] = (found[kind] ?? 0) + 1;
  }
  return found;
}

describe("annotations for GitHub", () => {
  it("point to the place", () => {
    expect(githubAnnotations([finding("error")])).toBe(
      "::error file=m/a.yaml,line=7,endLine=7,col=13,endColumn=25,title=schedule/never-runs::There is no 31 February.%0ACorrect the day.",
    );
  });

  it("are nothing for no finding", () => {
    expect(githubAnnotations([])).toBe("");
  });

  it("end neither the line nor the command, whatever a manifest is called or says", () => {
    const place = { file: "a,b:c%\r\n::x.yaml", line: 1, column: 1, length: 1 };
    const text = githubAnnotations([
      finding("info", { place, sentence: "50 %\n::error::injected", remedy: undefined as never }),
    ]);
    expect(text).toBe(
      "::notice file=a%2Cb%3Ac%25%0D%0A%3A%3Ax.yaml,line=1,endLine=1,col=1,endColumn=2,title=schedule/never-runs::50 %25 ::error::injected",
    );
  });

  it("take the path from the top of the repository", () => {
    const text = githubAnnotations([finding("error")], { path: (file) => `policy/${file}` });
    expect(text).toContain("file=policy/./m/a.yaml,");
  });

  it("show ten of a kind, and count the rest in one notice", () => {
    const text = githubAnnotations([...many("warning", 12), ...many("error", 11)]);
    expect(kinds(text)).toEqual({ error: 10, warning: 10, notice: 1 });
    expect(text.split("\n").at(-1)).toBe(
      "::notice title=3 more::3 more of 11 errors, 12 warnings are not shown here. Run harvestctl lint to see all.",
    );
  });

  it("leave room for that notice among the notices", () => {
    const text = githubAnnotations(many("info", 11), { rest: "the SARIF report" });
    expect(kinds(text)).toEqual({ notice: 10 });
    expect(text.split("\n").at(-1)).toContain(
      "2 more of 11 notices are not shown here. All are in the SARIF report.",
    );
  });

  it("show all when none is left over", () => {
    const text = githubAnnotations([...many("info", 10), ...many("error", 10)]);
    expect(kinds(text)).toEqual({ error: 10, notice: 10 });
    expect(text.startsWith("::error ")).toBe(true);
  });
});
