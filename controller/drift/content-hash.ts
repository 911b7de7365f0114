import { createHash } from "node:crypto";
import { canonicalJson } from "../../source/difference/canonical-json.js";
import { filledSpec } from "../../source/difference/filled-spec.js";
import { withSortedSets } from "../../source/difference/sets.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";

/**
 * `sha256:<hex>` of a spec: of its JSON with sorted keys, its defaults filled in and its sets sorted, so that it is the
 * same for a manifest as written, as parsed, and as it lives in the cluster. A delivery leaves it as an annotation.
 */
export function contentHash(spec: HarvestSource["spec"]): string {
  const text = canonicalJson(withSortedSets(filledSpec(spec)));
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
