import { describe, expect, it } from "vitest";
import { parseManifests } from "../parse.js";
import { lint } from "./index.js";
import { applySuppressions, type Judged } from "./suppression.js";

const now = new Date("2026-12-01T12:00:00Z");

function manifest(name: string, ignore: readonly string[], spec = ""): string {
  const annotation =
    ignore.length === 0
      ? ""
      : `  annotations:\n    ingest.geoportal.io/lint-ignore: |\n${ignore.map((line) => `      ${line}\n`).join("")}`;
  return `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata:
  name: ${name}
${annotation}spec:
  baseUrl: http://${name}.example.gov/oai
  metadataPrefix: oai_dc
  schedule: "0 3 * * *"
${spec}`;
}

function judge(text: string): Judged {
  const { sources, findings } = parseManifests(text, { file: "m.yaml", named: true });
  const context = { prefixes: ["oai_dc"], checkPolicyFile: () => ({ ok: true }) as const, now };
  return applySuppressions({
    sources,
    findings: [...findings, ...lint(sources, context)],
    texts: new Map([["m.yaml", text]]),
    now,
  });
}

function told({ findings }: Judged): readonly string[] {
  return findings.map(({ rule, place }) => `${String(place.line)}:${String(place.column)} ${rule}`);
}

describe("an annotation that holds findings back", () => {
  it("does so with rule, date and reason, and nothing else is held back", () => {
    const ignore = ["transport/cleartext until 2027-03-01: no TLS before their new host (ticket 4711)"];
    const judged = judge(manifest("county", ignore, "  delta: { overlapSeconds: 0 }\n"));
    expect(told(judged)).toEqual(["12:28 delta/no-overlap"]);
    expect(judged.suppressed).toEqual([
      {
        finding: expect.objectContaining({ rule: "transport/cleartext" }) as object,
        reason: "no TLS before their new host (ticket 4711)",
        until: "2027-03-01",
      },
    ]);
  });

  it("takes several lines, comments and blank lines", () => {
    const ignore = [
      "# agreed on the phone",
      "transport/cleartext until 2027-03-01: no TLS",
      "",
      "delta/no-overlap until 2027-03-01: exact dates",
    ];
    const judged = judge(manifest("county", ignore, "  delta: { overlapSeconds: 0 }\n"));
    expect(told(judged)).toEqual([]);
    expect(judged.suppressed.map(({ finding }) => finding.rule)).toEqual([
      "transport/cleartext",
      "delta/no-overlap",
    ]);
  });

  it("speaks for its own document alone", () => {
    const text = [manifest("a", ["transport/cleartext until 2027-03-01: no TLS"]), manifest("b", [])].join(
      "---\n",
    );
    const judged = judge(text);
    expect(told(judged)).toEqual(["18:12 transport/cleartext"]);
    expect(judged.suppressed.length).toBe(1);
  });

  it.each([
    { name: "without a date", line: "transport/cleartext: no TLS", rule: "suppression/incomplete" },
    {
      name: "without a reason",
      line: "transport/cleartext until 2027-03-01",
      rule: "suppression/incomplete",
    },
    {
      name: "with an empty reason",
      line: "transport/cleartext until 2027-03-01: -",
      rule: "suppression/incomplete",
    },
    {
      name: "with a day that does not exist",
      line: "transport/cleartext until 2027-02-30: x y z",
      rule: "suppression/incomplete",
    },
    {
      name: "with a date in words",
      line: "transport/cleartext until spring: no TLS",
      rule: "suppression/incomplete",
    },
    { name: "without a rule", line: "until 2027-03-01: no TLS", rule: "suppression/incomplete" },
    { name: "for all rules", line: "* until 2027-03-01: no TLS", rule: "suppression/incomplete" },
    {
      name: "that nobody could read",
      line: `transport/cleartext until 2027-03-01: ${"x".repeat(300)}`,
      rule: "suppression/incomplete",
    },
    {
      name: "past its date",
      line: "transport/cleartext until 2026-11-30: no TLS",
      rule: "suppression/expired",
    },
    {
      name: "for a rule that does not exist",
      line: "transport/clear until 2027-03-01: no TLS",
      rule: "suppression/unknown-rule",
    },
    {
      name: "for a rule that cannot be held back",
      line: "schema/type until 2027-03-01: no TLS",
      rule: "suppression/not-allowed",
    },
  ])("holds nothing back $name", ({ line, rule }) => {
    const judged = judge(manifest("county", [line]));
    expect(told(judged)).toEqual([`7:7 ${rule}`, "9:12 transport/cleartext"]);
    expect(judged.suppressed).toEqual([]);
  });

  it("holds to the end of its last day in UTC", () => {
    expect(told(judge(manifest("county", ["transport/cleartext until 2026-12-01: no TLS"])))).toEqual([]);
  });

  it("is told when it is not needed, and guesses what was meant", () => {
    const judged = judge(
      manifest("county", [
        "transport/cleartxt until 2027-03-01: no TLS",
        "delta/no-overlap until 2027-03-01: exact",
      ]),
    );
    expect(told(judged)).toEqual([
      "7:7 suppression/unknown-rule",
      "8:7 suppression/unused",
      "10:12 transport/cleartext",
    ]);
    expect(judged.findings[0]?.remedy).toBe("Did you mean transport/cleartext?");
  });

  it("is not called unneeded for a rule that several sources break together", () => {
    const line = "source/duplicate-endpoint until 2027-03-01: they move in spring";
    expect(told(judge(manifest("county", [line])))).toEqual(["9:12 transport/cleartext"]);
  });

  it("may stand on one line, and reads no more than twenty", () => {
    const one = manifest("county", []).replace(
      "  name: county\n",
      '  name: county\n  annotations: { ingest.geoportal.io/lint-ignore: "transport/cleartext until 2027-03-01: no TLS" }\n',
    );
    expect(told(judge(one))).toEqual([]);
    const many = Array.from({ length: 21 }, () => "transport/cleartext until 2027-03-01: no TLS");
    expect(told(judge(manifest("county", many)))).toEqual(["7:7 suppression/incomplete"]);
  });
});
