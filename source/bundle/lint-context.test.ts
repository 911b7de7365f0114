import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gatherLintContext } from "../../cli/lint-context.js";
import { prefixes as transformed } from "../../harvester/transform/index.js";
import { lint } from "../lint/index.js";
import { parseManifests } from "../parse.js";
import { prefixes } from "../prefixes.js";
import { bundleFairUse, bundleLintContext } from "./lint-context.js";

const now = new Date("2026-11-30T00:00:00Z");
const manifest = `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata: { name: county }
spec:
  baseUrl: https://a.example.gov/oai
  metadataPrefix: iso19139
  schedule: "0 3 * * *"
  concurrency: { maxRequests: 9 }
  validation:
    xsd: [schemas/there.xsd, schemas/gone.xsd]
    schematron: rules/gone.sch
`;
const files = new Map([
  ["schemas/there.xsd", Buffer.from("<this is not looked at>")],
  ["rules/fair-use.yaml", Buffer.from("default: { maxRequests: 4 }\n")],
]);
const { sources } = parseManifests(manifest, { file: "m.yaml", named: true });

describe("bundleLintContext", () => {
  it("misses what the bundle lacks and takes the ceilings from it", () => {
    const findings = lint(sources, bundleLintContext(files, { now, prefixes }));
    expect(findings.map(({ rule, sentence }) => `${rule}: ${sentence}`)).toEqual([
      "fair-use/over-ceiling: county asks for 9 requests in flight from a.example.gov; its ceiling is 4 (rules/fair-use.yaml:1).",
      "policy/missing-file: There is no schema schemas/gone.xsd in the policy bundle.",
      "policy/missing-file: There is no rule set rules/gone.sch in the policy bundle.",
    ]);
  });

  it("says of a missing file what lint says of it", async () => {
    const root = mkdtempSync(join(tmpdir(), "empty-policy-"));
    const { context } = await gatherLintContext(root, sources, { now });
    rmSync(root, { recursive: true });
    for (const [path, kind] of [
      ["schemas/gone.xsd", "xsd"],
      ["rules/gone.sch", "schematron"],
    ] as const) {
      const inFolder = context.checkPolicyFile(path, kind);
      const inBundle = bundleLintContext(files, { now, prefixes }).checkPolicyFile(path, kind);
      const sentences = [inFolder, inBundle].map((check) => (check.ok ? "" : check.sentence));
      expect(sentences[1]).toBe(sentences[0]?.replace(root, "the policy bundle"));
      expect(inBundle).toMatchObject({ ok: false, problem: "missing" });
    }
  });

  it("tells ceilings that cannot be read from ceilings that are not there", () => {
    expect(bundleFairUse(new Map())).toBeUndefined();
    const broken = new Map([["rules/fair-use.yaml", Buffer.from("default: 4\n")]]);
    expect(bundleFairUse(broken)).toMatchObject({ findings: [{ severity: "error" }] });
    expect(bundleLintContext(broken, { now, prefixes }).fairUse).toBeUndefined();
  });
});

describe("source/prefixes.ts", () => {
  it("names the formats that harvester/transform maps, and no others", () => {
    expect([...prefixes].sort()).toEqual([...transformed].sort());
  });
});
