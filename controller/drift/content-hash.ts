import { createHash } from "node:crypto";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { validate } from "../../source/schema/validate.js";

type Spec = HarvestSource["spec"];

/** Fields that are sets (x-kubernetes-list-type: set in crds/): their order says nothing. */
const SETS: ReadonlySet<string> = new Set(["sets", "allowedRedirectOrigins"]);

/** Deeper than any spec; what is below is not looked at. */
const MAX_DEPTH = 16;

/**
 * `sha256:<hex>` of a spec: of its JSON with sorted keys, its defaults filled in and its sets sorted, so that it is the
 * same for a manifest as written, as parsed, and as it lives in the cluster. A delivery leaves it as an annotation.
 */
export function contentHash(spec: Spec): string {
  const text = canonicalJson(sorted(filledSpec(spec)));
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** A copy with the defaults the API server would fill in; fields the schema does not know stay. */
export function filledSpec(spec: Spec): Spec {
  const manifest = {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: { name: "any" },
    spec: structuredClone(spec),
  };
  validate(manifest);
  return manifest.spec;
}

/** True for a field whose list is a set. */
export function isSet(field: string): boolean {
  return SETS.has(field);
}

/** JSON with the keys of every object in code-point order; absent fields are left out. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH)
    return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(",")}]`;
  const fields = Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child, depth + 1)}`);
  return `{${fields.join(",")}}`;
}

/** The same value with its sets sorted. */
function sorted(value: unknown, field = "", depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return isSet(field) ? [...value].sort() : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, sorted(child, key, depth + 1)]),
  );
}
