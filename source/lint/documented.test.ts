import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseFairUse } from "../fair-use.js";
import { harvestSourceSchema } from "../harvest-source.generated.js";
import { parseManifests } from "../parse.js";

const root = join(import.meta.dirname, "../..");

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
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
    const example = yamlBlocks(read("docs/lint-rules.md")).at(-1) ?? "";
    expect(parseFairUse(example, "rules/fair-use.yaml").findings).toEqual([]);
  });
});
