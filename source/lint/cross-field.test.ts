import { describe, expect, it } from "vitest";
import { crdRules } from "../cel/rules.generated.js";
import { parseManifests } from "../parse.js";
import { crossFieldFindings } from "./cross-field.js";
import { crossFieldIds } from "./cross-field-ids.js";

describe("the CEL rules of the CRD", () => {
  it("are found in the file", () => {
    expect(crdRules.length).toBeGreaterThan(10);
  });

  it("each have an id in lint, and every id a rule", () => {
    expect(crdRules.map(({ message }) => message).sort()).toEqual(Object.keys(crossFieldIds).sort());
  });
});

function findings(spec: string): readonly (readonly [string, number])[] {
  const text = `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata: { name: state-metadata }
spec:
  metadataPrefix: oai_dc
  schedule: "0 */6 * * *"
${spec}`;
  const parsed = parseManifests(text, { file: "a.yaml", named: true });
  expect(parsed.findings).toEqual([]);
  return parsed.sources
    .flatMap((located) => crossFieldFindings(located))
    .map(({ rule, place }) => [rule, place.line]);
}

const https = "  baseUrl: https://metadata.example.gov/oai\n";
const http = "  baseUrl: http://metadata.example.gov/oai\n";

describe("fields that must fit each other", () => {
  const cases: readonly {
    readonly name: string;
    readonly spec: string;
    readonly told: readonly (readonly [string, number])[];
  }[] = [
    { name: "a good source", spec: https, told: [] },
    {
      name: "mTLS over http",
      spec: `${http}  transport:\n    mtls: true\n`,
      told: [["transport/mtls-needs-https", 9]],
    },
    {
      name: "two rules of one field",
      spec: "  baseUrl: https://u:p@metadata.example.gov/oai?verb=Identify\n",
      told: [
        ["endpoint/user-info", 7],
        ["endpoint/oai-arguments", 7],
      ],
    },
    {
      name: "a number against a default",
      spec: `${https}  backoff: { initialMs: 60001 }\n`,
      told: [["backoff/initial-over-max", 8]],
    },
    {
      name: "a wrong time zone and schedule: told by their own rules, in more words",
      spec: `${https}  timeZone: Europe/Nowhere\n`,
      told: [],
    },
    {
      name: "a port the server takes and nobody can ask",
      spec: "  baseUrl: https://metadata.example.gov:99999/oai\n",
      told: [["endpoint/address", 7]],
    },
    {
      name: "an address the server refuses already is told once",
      spec: "  baseUrl: https://:443/oai\n",
      told: [["endpoint/address", 7]],
    },
    {
      name: "a proxy's port the server takes and nobody can ask",
      spec: `${https}  transport: { proxyUrl: "http://proxy.example.gov:65536" }\n`,
      told: [["transport/proxy-url", 8]],
    },
  ];

  it.each(cases)("$name", ({ spec, told }) => {
    expect(findings(spec)).toEqual(told);
  });

  it("says the server's words, and what to do", () => {
    const text = `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata: { name: a }
spec: { baseUrl: "https://a.example/#x", metadataPrefix: oai_dc, schedule: "@daily" }
`;
    const [located] = parseManifests(text, { file: "a.yaml", named: true }).sources;
    expect(crossFieldFindings(located!)).toEqual([
      {
        rule: "endpoint/fragment",
        severity: "error",
        place: { file: "a.yaml", line: 4, column: 18, length: 22 },
        sentence: "baseUrl must not carry a fragment (#...): it is never sent to a server.",
        remedy: "Remove it.",
      },
    ]);
  });
});
