import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseFairUse } from "../fair-use.js";
import { parseManifests } from "../parse.js";
import { lint } from "./index.js";
import type { LintContext } from "./lint-rule.js";
import { catalogueRule, ruleCatalogue } from "./rule-catalogue.js";
import { applySuppressions } from "./suppression.js";

const base: Readonly<Record<string, readonly string[]>> = {
  metadata: ["  name: state-gis"],
  spec: [
    "  baseUrl: https://metadata.example.gov/oai",
    "  metadataPrefix: iso19139",
    '  schedule: "0 3 * * *"',
  ],
};
const now = new Date("2026-12-01T12:00:00Z");
const context: LintContext = {
  fairUse: parseFairUse("default: { maxRequests: 4 }\n", "rules/fair-use.yaml").fairUse!,
  prefixes: ["iso19139", "oai_dc"],
  checkPolicyFile: (path) => checks[path] ?? { ok: true },
  now,
};
const checks: Readonly<Record<string, ReturnType<LintContext["checkPolicyFile"]>>> = {
  "schemas/none.xsd": { ok: false, problem: "missing", sentence: "None.", remedy: "Add it." },
  "rules/broken.sch": { ok: false, problem: "broken", sentence: "Broken.", remedy: "Mend it." },
};

/** An example of the catalogue in a whole manifest: its lines in place of those of the same field. */
function manifest(example: string): string {
  if (/^(---|#)/.test(example)) return example;
  const [head = "", ...lines] = example.split("\n");
  const own = new Set(lines.map((line) => /^ {2}(\w+):/.exec(line)?.[1]));
  const merge = (key: string): readonly string[] => {
    const kept = (base[key] ?? []).filter((line) => !own.has(/^ {2}(\w+):/.exec(line)?.[1]));
    return head === `${key}:` ? [`${key}:`, ...kept, ...lines] : [`${key}:`, ...(base[key] ?? [])];
  };
  const head2 = ["apiVersion: ingest.geoportal.io/v1", "kind: HarvestSource"];
  return [...head2, ...merge("metadata"), ...merge("spec"), ""].join("\n");
}

function rulesOf(example: string): readonly string[] {
  const text = manifest(example);
  const { sources, findings } = parseManifests(text, { file: "m.yaml", named: true });
  const all = [...findings, ...lint(sources, context)];
  const judged = applySuppressions({ sources, findings: all, texts: new Map([["m.yaml", text]]), now });
  return judged.findings.map(({ rule }) => rule);
}

const root = join(import.meta.dirname, "../..");

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Rule ids as they stand in the code that emits them, found by their form. */
function rulesInCode(): readonly string[] {
  const files = ["source", "cli/lint", "cli"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== "cli", encoding: "utf8" }).map(
      (file) => `${folder}/${file}`,
    ),
  );
  const code = files.filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.includes("lint/catalogue/"));
  const topics = [...new Set(ruleCatalogue.map(({ id }) => id.split("/")[0] ?? ""))].join("|");
  const pattern = new RegExp(`(?<=")(${topics})/[a-z-]+(?=")`, "g");
  return [...new Set(code.map(read).flatMap((text) => text.match(pattern) ?? []))].sort();
}

const shown = ruleCatalogue.filter(({ wrong }) => wrong !== undefined);

describe("the catalogue of rules", () => {
  it("has each id once, and says something of each", () => {
    expect(new Set(ruleCatalogue.map(({ id }) => id)).size).toBe(ruleCatalogue.length);
    for (const rule of ruleCatalogue) {
      expect(rule.id).toMatch(/^[a-z-]+\/[a-z-]+$/);
      expect(catalogueRule(rule.id)).toBe(rule);
      expect([rule.explanation, rule.fix].every((text) => /^[A-Za-z].*[.]$/.test(text))).toBe(true);
      expect(rule.right === undefined).toBe(rule.wrong === undefined);
    }
  });

  it("knows every rule that the code can tell of, and no other", () => {
    expect(ruleCatalogue.map(({ id }) => id).sort()).toEqual(rulesInCode());
  });

  it("stands in docs/lint-rules.md by their ids", () => {
    const rows = [...read("docs/lint-rules.md").matchAll(/^\| `([a-z-]+\/[a-z-]+)` \|(.*)\|$/gm)];
    expect(rows.map(([, id = ""]) => id).sort()).toEqual(ruleCatalogue.map(({ id }) => id).sort());
  });

  it.each(shown)("shows what breaks $id", ({ id, wrong = "" }) => {
    expect(rulesOf(wrong)).toContain(id);
  });

  it.each(shown)("shows what does not break $id", ({ id, right = "" }) => {
    expect(rulesOf(right)).not.toContain(id);
  });

  it.each(shown.filter(({ severity }) => severity !== "info"))(
    "tells how bad $id is",
    ({ id, severity, wrong = "" }) => {
      const text = manifest(wrong);
      const { sources, findings } = parseManifests(text, { file: "m.yaml", named: true });
      const all = [...findings, ...lint(sources, context)].filter(({ rule }) => rule === id);
      if (id.startsWith("suppression/")) return;
      expect(new Set(all.map((finding) => finding.severity))).toEqual(new Set([severity]));
    },
  );
});
