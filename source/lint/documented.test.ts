import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseFairUse } from "../fair-use.js";
import { harvestSourceSchema } from "../harvest-source.generated.js";
import { parseManifests } from "../parse.js";

const root = join(import.meta.dirname, "../..");

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Rule ids as they stand in the code, found by their form. */
function rulesInCode(): readonly string[] {
  const files = readdirSync(join(root, "source"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => `source/${file}`);
  const texts = [...files, "cli/lint-context.ts"].map(read);
  const topics =
    "yaml|manifest|schema|name|endpoint|transport|deletions|backoff|limits|policy|schedule|prefix|fair-use|source|delta";
  const ids = texts.flatMap((text) => text.match(new RegExp(`(?<=")(${topics})/[a-z-]+(?=")`, "g")) ?? []);
  return [...new Set(ids)].sort();
}

function yamlBlocks(markdown: string): readonly string[] {
  return [...markdown.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => text);
}

function fields(node: object, path: string): readonly string[] {
  const properties = (node as { properties?: Record<string, object> }).properties;
  if (properties === undefined) return [path];
  return Object.entries(properties).flatMap(([name, child]) => fields(child, `${path}.${name}`));
}

describe("the documentation", () => {
  it("names every rule, and no other", () => {
    const named = [...read("docs/lint-rules.md").matchAll(/^\| `([a-z-]+\/[a-z-]+)`/gm)].map(
      ([, id = ""]) => id,
    );
    expect([...named].sort()).toEqual(rulesInCode());
  });

  it("names every field of the spec", () => {
    const text = read("docs/harvest-source.md");
    expect(
      fields(harvestSourceSchema.properties.spec, "spec").filter((field) => !text.includes(`\`${field}\``)),
    ).toEqual([]);
  });

  it("shows manifests that are read without a word", () => {
    const [example = ""] = yamlBlocks(read("docs/harvest-source.md"));
    const parsed = parseManifests(example, { file: "example.yaml", named: true });
    expect([parsed.findings, parsed.sources.length]).toEqual([[], 1]);
  });

  it("shows a file of ceilings that is accepted", () => {
    const [example = ""] = yamlBlocks(read("docs/lint-rules.md"));
    expect(parseFairUse(example, "rules/fair-use.yaml").findings).toEqual([]);
  });
});
