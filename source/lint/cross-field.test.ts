import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { crossFieldRules } from "./cross-field.js";

const crd: unknown = parse(
  readFileSync(join(import.meta.dirname, "../../crds/ingest.geoportal.io_harvestsources.yaml"), "utf8"),
);

interface CrdNode {
  readonly "x-kubernetes-validations"?: readonly { readonly message: string; readonly fieldPath?: string }[];
  readonly properties?: Readonly<Record<string, CrdNode>>;
  readonly items?: CrdNode;
}

interface CelRule {
  readonly message: string;
  readonly at: string;
}

/** Every rule under x-kubernetes-validations, with the field its complaint is placed at. */
function celRules(node: CrdNode, path: readonly string[] = []): readonly CelRule[] {
  const own = (node["x-kubernetes-validations"] ?? []).map(({ message, fieldPath = "" }) => ({
    message,
    at: [...path, ...fieldPath.split(".").slice(1)].join("."),
  }));
  const fields = Object.entries(node.properties ?? {});
  const below = fields.flatMap(([name, field]) => celRules(field, [...path, name]));
  return [...own, ...below, ...(node.items === undefined ? [] : celRules(node.items, path))];
}

/** Told by source/cron, with more words than a rule of the CRD can have, and by the schema's own bound. */
const TOLD_ELSEWHERE = ["spec.schedule", "spec.timeZone", "spec.concurrency.requestsPerSecond"];

describe("the CEL rules of the CRD", () => {
  const [version] = (crd as { spec: { versions: { schema: { openAPIV3Schema: CrdNode } }[] } }).spec.versions;
  const cel = celRules(version?.schema.openAPIV3Schema ?? {}).filter(
    ({ at }) => !TOLD_ELSEWHERE.includes(at),
  );

  it("are found in the file", () => {
    expect(cel.length).toBeGreaterThan(10);
  });

  it("each have a twin in lint with the same message at the same field, and the other way round", () => {
    const twins = crossFieldRules.map(({ message, path }) => ({ message, at: path.join(".") }));
    const sorted = (rules: readonly CelRule[]): readonly CelRule[] =>
      [...rules].sort((a, b) => (a.message < b.message ? -1 : 1));
    expect(sorted(twins)).toEqual(sorted(cel));
  });
});
