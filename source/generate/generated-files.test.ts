import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { crdPath, generatedFiles, policyPaths } from "./generated-files.js";

const root = join(import.meta.dirname, "../..");
const crdText = readFileSync(join(root, crdPath), "utf8");
const policyTexts = policyPaths.map((path) => readFileSync(join(root, path), "utf8"));

describe("what is made from the CRD", () => {
  it.each(generatedFiles(crdText, policyTexts))("$path is up to date", ({ path, text }) => {
    expect(readFileSync(join(root, path), "utf8")).toBe(text);
  });

  it("changes when a field of the CRD changes", () => {
    const changed = crdText.replace("overlapSeconds:", "overlapMinutes:");
    const [types, schema] = generatedFiles(changed, policyTexts);
    expect(types?.text).toContain("readonly overlapMinutes: number;");
    expect(schema?.text).toContain('"overlapMinutes": {');
  });

  it("refuses a file that is no CRD with a stored version", () => {
    expect(() => generatedFiles("spec: { group: g, names: { kind: K }, versions: [] }", [])).toThrow(
      "no stored version",
    );
  });
});

/** House rules for the schema itself (Kubernetes API conventions; CEL cost needs bounds). */
describe("the CRD", () => {
  const version = (
    parse(crdText) as {
      spec: { versions: { schema: { openAPIV3Schema: object }; selectableFields: unknown[] }[] };
    }
  ).spec.versions[0];
  const nodes = walk(version?.schema.openAPIV3Schema ?? {}, []);

  interface Node {
    readonly path: string;
    readonly node: Readonly<Record<string, unknown>>;
  }

  function walk(node: object, path: readonly string[]): readonly Node[] {
    const fields = node as Readonly<Record<string, unknown>>;
    const found: Node[] = [{ path: path.join("."), node: fields }];
    for (const [name, child] of Object.entries((fields["properties"] as object | undefined) ?? {}))
      found.push(...walk(child as object, [...path, name]));
    if (fields["items"] !== undefined) found.push(...walk(fields["items"] as object, [...path, "[]"]));
    return found;
  }

  const inSpec = nodes.filter(({ path }) => /^(spec|status)\./.test(path));

  it.each(inSpec.filter(({ node }) => node["type"] === "string" && node["enum"] === undefined))(
    "bounds the text $path",
    ({ node }) => {
      expect(node["maxLength"]).toBeTypeOf("number");
    },
  );

  it.each(inSpec.filter(({ node }) => node["type"] === "array"))(
    "bounds the list $path and says how it merges",
    ({ node }) => {
      expect(node["maxItems"]).toBeTypeOf("number");
      expect(node["x-kubernetes-list-type"]).toMatch(/^(set|map)$/);
    },
  );

  it.each(
    inSpec.filter(
      ({ node, path }) =>
        (node["type"] === "integer" || node["type"] === "number") && path.startsWith("spec"),
    ),
  )("bounds the number $path", ({ node }) => {
    expect(node["minimum"]).toBeTypeOf("number");
    expect(node["maximum"]).toBeTypeOf("number");
  });

  it("gives every object whose fields have defaults a default of its own, or nested ones would not come", () => {
    const withDefaults = inSpec.filter(({ node }) =>
      Object.values((node["properties"] as Record<string, { default?: unknown }> | undefined) ?? {}).some(
        (child) => child.default !== undefined,
      ),
    );
    expect(withDefaults.filter(({ node }) => node["default"] === undefined).map(({ path }) => path)).toEqual(
      [],
    );
  });

  it("has one atomic spec, a status that begins as not looked at, and at most eight selectable fields", () => {
    const at = (path: string): Readonly<Record<string, unknown>> | undefined =>
      nodes.find((each) => each.path === path)?.node;
    expect(at("spec")?.["x-kubernetes-map-type"]).toBe("atomic");
    expect(at("status")?.["default"]).toEqual({ observedGeneration: -1 });
    expect(version?.selectableFields.length).toBeLessThanOrEqual(8);
  });
});
