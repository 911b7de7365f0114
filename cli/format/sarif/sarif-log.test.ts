import { Ajv } from "ajv";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../../source/finding.js";
import type { RuleDescriptor } from "../../../source/rule-descriptor.js";
import { sarifLog, sarifText, type SarifInput } from "./sarif-log.js";
import { isAddress } from "../../../source/address.js";

const manifest = `apiVersion: ingest.geoportal.io/v1
metadata: { name: county }
spec:
  schedule: "0 0 31 2 *"
`;

const rules: readonly RuleDescriptor[] = [
  {
    id: "schedule/syntax",
    title: "not as the API server takes it",
    explanation: "It is refused.",
    severity: "error",
  },
  {
    id: "schedule/never-runs",
    title: "a date that does not come",
    explanation: "Nobody would notice.",
    severity: "error",
    helpUri: "https://example.org/rules#never-runs",
  },
];

const never: Finding = {
  rule: "schedule/never-runs",
  severity: "error",
  place: { file: "./m/harbour ä.yaml", line: 4, column: 13, length: 12 },
  sentence: "There is no 31 February.",
  remedy: "Correct the day or the month.",
};

function input(more: Partial<SarifInput> = {}): SarifInput {
  return {
    version: "0.1.0",
    category: "lint",
    rules,
    findings: [never],
    texts: new Map([[never.place.file, manifest]]),
    ...more,
  };
}

/** The official JSON schema (draft-04), as Microsoft's SARIF SDK ships it. */
function validator(): (log: unknown) => unknown {
  const file = createRequire(import.meta.url).resolve(
    "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json",
  );
  const { $schema: draft, id, ...schema } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  expect([draft, id]).toEqual([
    "http://json-schema.org/draft-04/schema#",
    expect.stringContaining("sarif-2.1.0"),
  ]);
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
  ajv.addFormat("uri", isAddress);
  ajv.addFormat("uri-reference", /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?#%[\]]*$/);
  ajv.addFormat("date-time", true);
  const validate = ajv.compile(schema);
  return (log) => (validate(log) ? [] : validate.errors);
}

const problems = validator();

describe("a SARIF log", () => {
  it("says where, what, how bad and what to do", () => {
    const [run] = sarifLog(input()).runs;
    expect(run?.results).toEqual([
      {
        ruleId: "schedule/never-runs",
        ruleIndex: 1,
        level: "error",
        message: { text: "There is no 31 February. Correct the day or the month." },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "m/harbour%20%C3%A4.yaml", uriBaseId: "%SRCROOT%" },
              region: { startLine: 4, startColumn: 13, endLine: 4, endColumn: 25 },
            },
          },
        ],
        partialFingerprints: {
          primaryLocationLineHash: expect.stringMatching(/^[0-9a-f]{32}:1$/) as string,
        },
      },
    ]);
    expect(run?.tool.driver.rules[1]).toEqual({
      id: "schedule/never-runs",
      shortDescription: { text: "a date that does not come" },
      fullDescription: { text: "Nobody would notice." },
      help: {
        text: "Nobody would notice. More: harvestctl rules explain schedule/never-runs",
        markdown: "Nobody would notice.\n\nMore: `harvestctl rules explain schedule/never-runs`",
      },
      helpUri: "https://example.org/rules#never-runs",
      defaultConfiguration: { level: "error" },
      properties: { tags: ["harvest", "schedule"] },
    });
    expect(run?.automationDetails.id).toBe("harvestctl-lint/");
    expect(run?.columnKind).toBe("utf16CodeUnits");
  });

  it.each<{ name: string; given: SarifInput }>([
    { name: "one finding", given: input() },
    { name: "no finding", given: input({ findings: [], texts: new Map() }) },
    { name: "a rule nobody described", given: input({ rules: [] }) },
    {
      name: "a finding outside the repository",
      given: input({ path: () => "/elsewhere/a b#c?.yaml" }),
    },
    {
      name: "suppressed findings",
      given: input({
        findings: [],
        suppressed: [
          { finding: never, by: "manifest", justification: "Agreed until spring." },
          { finding: never, by: "baseline", justification: "Known." },
        ],
      }),
    },
    {
      name: "a file name that nobody would choose",
      given: input({ path: () => 'a\u0000b/%2e%2e/"\u202e<script>\ud800\n:x.yaml' }),
    },
    {
      name: "infos",
      given: input({
        findings: [
          { ...never, severity: "info" },
          { ...never, severity: "warning" },
        ],
      }),
    },
    {
      name: "too many findings",
      given: input({ findings: Array.from({ length: 25_010 }, () => never) }),
    },
  ])("fits the official schema with $name", ({ given }) => {
    const text = sarifText(given);
    expect(problems(JSON.parse(text))).toEqual([]);
    expect(sarifText(given)).toBe(text);
  });

  it("is held against a schema that refuses what is wrong", () => {
    const log = sarifLog(input());
    expect(problems({ ...log, runs: [{ ...log.runs[0], columnKind: "bytes" }] })).not.toEqual([]);
  });

  it("keeps at most 25,000 results, the most severe, and says how many are left out", () => {
    const infos = Array.from({ length: 25_000 }, (): Finding => ({ ...never, severity: "info" }));
    const [run] = sarifLog(input({ findings: [...infos, never, never] })).runs;
    expect(run?.results.length).toBe(25_000);
    expect(run?.results.slice(0, 3).map(({ level }) => level)).toEqual(["error", "error", "note"]);
    expect(run?.invocations[0]?.toolExecutionNotifications?.[0]?.message.text).toBe(
      "2 more results are left out: a run may hold 25,000.",
    );
  });

  it("makes neither a link nor a placeholder of what a manifest says", () => {
    const hostile = { ...never, sentence: "See [here](https://evil.example) {0}\u001b[31m\nnow." };
    const [run] = sarifLog(input({ findings: [hostile] })).runs;
    expect(run?.results[0]?.message.text).toBe(
      "See [here] (https://evil.example) { 0 } [31m now. Correct the day or the month.",
    );
  });

  it("says which findings are suppressed, by what and why", () => {
    const suppressed = [
      { finding: never, by: "manifest", justification: "Agreed." },
      { finding: never, by: "baseline", justification: "Known." },
    ] as const;
    const [run] = sarifLog(input({ findings: [], suppressed })).runs;
    expect(run?.results.map(({ suppressions }) => suppressions)).toEqual([
      [{ kind: "inSource", status: "accepted", justification: "Agreed." }],
      [{ kind: "external", status: "accepted", justification: "Known." }],
    ]);
  });
});
