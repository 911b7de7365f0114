import { describe, expect, it } from "vitest";
import { affectedFiles, composeReport, marker, type RanStep } from "./gate-scripts.js";

const review = `${marker}\n**1 source changes.**\n`;

function steps(codes: readonly number[], texts: readonly string[] = []): readonly RanStep[] {
  return ["lint", "dry-run", "fixtures", "diff"].map((name, i) => ({
    name,
    title: name,
    code: codes[i] ?? 0,
    text: texts[i] ?? "",
  }));
}

describe("the verdict of the gate", () => {
  const cases = [
    { name: "all passed", codes: [0, 0, 0, 0], verdict: "passed" },
    { name: "a rule is broken", codes: [1, 0, 0, 0], verdict: "refused" },
    { name: "a step could not be done", codes: [0, 2, 0, 0], verdict: "failed" },
    { name: "that outweighs a broken rule", codes: [1, 0, 70, 1], verdict: "failed" },
    { name: "a step that never ran is no pass", codes: [0, 0, 0, -1], verdict: "failed" },
    { name: "warnings pass", codes: [0, 0, 0, 0], warnings: 2, verdict: "passed" },
    {
      name: "unless they are to fail",
      codes: [0, 0, 0, 0],
      warnings: 2,
      failOn: "warning",
      verdict: "refused",
    },
  ];
  it.each(cases)("$name", ({ codes, warnings = 0, failOn = "error", verdict }) => {
    expect(composeReport({ steps: steps(codes), review, warnings, failOn }).verdict).toBe(verdict);
  });
});

describe("the report", () => {
  it("holds the review, a row a check, and what failing ones printed", () => {
    const texts = [
      "a: broken\n\n3 sources, 1 error, 0 warnings.\na runs at 02:00.\n",
      "\n2 sources would run: 40 records read, 1 record refused. Nothing was written.\n",
      "No folder of fixtures is named: nothing to judge.\n",
      "/tmp/harvest-gate-Xyz/diff-report.md: 1 source changes: 0 errors, 0 warnings.\n",
    ];
    const { report, summary } = composeReport({
      steps: steps([1, 0, 0, 0], texts),
      review,
      warnings: 0,
      failOn: "error",
    });
    expect(report).toBe(
      `${marker}
**1 source changes.**

### Checks

| check | verdict | |
|---|---|---|
| lint | ❌\u00a0refused | 3 sources, 1 error, 0 warnings. |
| dry-run | ✅\u00a0passed | 2 sources would run: 40 records read, 1 record refused. Nothing was written. |
| fixtures | ✅\u00a0passed | No folder of fixtures is named: nothing to judge. |
| diff | ✅\u00a0passed | 1 source changes: 0 errors, 0 warnings. |

<details><summary>lint: what was printed</summary>

\`\`\`text
a: broken

3 sources, 1 error, 0 warnings.
a runs at 02:00.
\`\`\`

</details>
`,
    );
    expect(summary.match(/<details>/g)).toHaveLength(3);
  });

  it("puts the checks before the line on how to reproduce the review", () => {
    const footed = `${marker}\n**x**\n\n<sub>Reproduce: y</sub>\n`;
    const { report } = composeReport({
      steps: steps([0, 0, 0, 1]),
      review: footed,
      warnings: 0,
      failOn: "error",
    });
    expect(report).toMatch(
      /^[^]*\*\*x\*\*\n\n### Checks\n[^]*\| diff \| ❌\u00a0refused \| {2}\|\n\n<sub>Reproduce: y<\/sub>\n$/,
    );
  });

  it("is one still when the review could not be made", () => {
    const { report } = composeReport({
      steps: steps([0, 0, 0, 2]),
      review: "",
      warnings: 0,
      failOn: "error",
    });
    expect(report.startsWith(`${marker}\n**The review could not be made.** Its step says why.\n`)).toBe(true);
  });

  it("lets no text of a manifest out of its cell or its fence", () => {
    const text = "````\n</details> @owners | <b> `x` [a](b)";
    const { report } = composeReport({ steps: steps([2], [text]), review, warnings: 0, failOn: "error" });
    expect(report).toContain(
      "| lint | ⚠️ could not be done | &lt;/details&gt; @\u200bowners \\| &lt;b&gt; \\`x\\` \\[a\\]\\(b\\) |",
    );
    expect(report).toContain(`\`\`\`\`\`text\n${text}\n\`\`\`\`\`\n`);
  });

  it("stays within a comment beside the longest review", () => {
    const long = Array.from({ length: 9000 }, (_, i) => `line ${String(i)}`).join("\n");
    const full = {
      steps: steps([1, 1, 1, 1], [long, long, long, long]),
      review: `${marker}${"x".repeat(60_000)}`,
    };
    const { report, summary } = composeReport({ ...full, warnings: 0, failOn: "error" });
    expect(report.length).toBeLessThan(65_536);
    expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024);
    expect(report).toContain("[…] the beginning is left out\nline 8");
  });
});

describe("the files of affected sources", () => {
  const cases = [
    {
      name: "changed and added, each file once, sorted",
      review: {
        changes: [
          { key: "b", kind: "changed", file: "s/b.yaml" },
          { key: "a", kind: "added", file: "s/a.yaml" },
          { key: "c", kind: "added", file: "s/a.yaml" },
        ],
        rows: ["a", "b", "c"].map((key) => ({ key, kind: "changed", what: ["prefix"] })),
      },
      expect: ["s/a.yaml", "s/b.yaml"],
    },
    {
      name: "not what is removed, nor a neighbour on the same host",
      review: {
        changes: [{ key: "gone", kind: "removed", file: "s/gone.yaml" }],
        rows: [
          { key: "gone", kind: "removed", what: ["removed"] },
          { key: "neighbour", kind: "unchanged", what: [] },
        ],
      },
      expect: [],
    },
    {
      name: "a source whose rules change",
      review: {
        changes: [],
        rows: [{ key: "a", kind: "unchanged", what: ["rules/geo.sch"], file: "s/a.yaml" }],
      },
      expect: ["s/a.yaml"],
    },
    {
      name: "not told: everything is to be tried",
      review: { changes: [], rows: [{ key: "a", kind: "unchanged", what: ["rules/geo.sch"] }] },
      expect: undefined,
    },
    {
      name: "a name of two lines: everything is to be tried",
      review: { changes: [], rows: [{ key: "a", kind: "added", what: [], file: "a\nb" }] },
      expect: undefined,
    },
    { name: "no review", review: { error: {} }, expect: undefined },
  ];
  it.each(cases)("$name", ({ review: given, expect: expected }) => {
    expect(affectedFiles(given)).toEqual(expected);
  });
});
