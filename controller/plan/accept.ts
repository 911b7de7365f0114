import type { BundleFiles } from "../../source/bundle/bundle-contents.js";
import { bundleLintContext } from "../../source/bundle/lint-context.js";
import type { Finding } from "../../source/finding.js";
import { lint } from "../../source/lint/index.js";
import { prefixes } from "../../source/prefixes.js";
import { keyOf } from "../object.js";
import type { Observed } from "../observed.js";
import { oncePerVersion } from "../once-per-version.js";

/** May this source be harvested as it stands? In the words lint would have used. */
export type Acceptance =
  | { readonly kind: "accepted"; readonly bundle: { readonly name: string; readonly digest: string } }
  | { readonly kind: "stalled"; readonly reason: string; readonly message: string };

export interface AcceptSettings {
  readonly bundleName: string;
}

/**
 * The same rules as lint, asked of the live object, its neighbours on the host and the policy bundle of its namespace:
 * what CI refuses, the cluster refuses too.
 */
export function accept(observed: Observed, { bundleName }: AcceptSettings, now: Date): Acceptance {
  const [first] = observed.errors;
  if (first !== undefined) return stalled(first, observed.errors.length);
  const { bundle } = observed;
  if (bundle.kind === "missing")
    return { kind: "stalled", reason: "PolicyBundleMissing", message: bundle.sentence };
  if (bundle.kind === "unusable") return { kind: "stalled", reason: bundle.reason, message: bundle.sentence };
  const errors = errorsOf(observed, bundle.files, now);
  const [found] = errors;
  if (found !== undefined) return stalled(found, errors.length);
  return { kind: "accepted", bundle: { name: bundleName, digest: bundle.digest } };
}

const once = oncePerVersion<readonly Finding[]>();

/** The day is part of the question, because whether a schedule ever comes is: rules read nothing finer from the clock. */
function errorsOf({ source, neighbours }: Observed, files: BundleFiles, now: Date): readonly Finding[] {
  const day = now.toISOString().slice(0, 10);
  return once({ uid: source.metadata.uid, of: [files, day, ...neighbours] }, () => {
    const key = keyOf(source);
    return lint(neighbours, bundleLintContext(files, { now, prefixes })).filter(
      ({ severity, place }) => severity === "error" && place.file === key,
    );
  });
}

function stalled({ rule, sentence, remedy }: Finding, count: number): Acceptance {
  const more = count > 1 ? ` (and ${String(count - 1)} more: harvestctl lint shows them all)` : "";
  return {
    kind: "stalled",
    reason: reasonOf(rule),
    message: `${sentence}${remedy === undefined ? "" : ` ${remedy}`}${more}`,
  };
}

/** `fair-use/over-ceiling` → `FairUseOverCeiling`: a condition's reason is CamelCase. */
export function reasonOf(rule: string): string {
  return rule
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}
