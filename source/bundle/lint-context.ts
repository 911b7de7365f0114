import { fairUsePath, parseFairUse, type ParsedFairUse } from "../fair-use.js";
import type { LintContext, PolicyCheck, PolicyFileKind } from "../lint/lint-rule.js";
import type { BundleFiles } from "./bundle-contents.js";

export interface LintWish {
  readonly now: Date;
  /** Metadata prefixes that have a transform (source/prefixes.ts). */
  readonly prefixes: readonly string[];
}

/**
 * What lint knows in a cluster: the files of the bundle. A file that is there counts as sound, because only the engine in
 * the pod could tell; that one cannot be used shows at the next run (exit 78).
 */
export function bundleLintContext(files: BundleFiles, { now, prefixes }: LintWish): LintContext {
  const fairUse = bundleFairUse(files)?.fairUse;
  return {
    ...(fairUse === undefined ? {} : { fairUse }),
    prefixes,
    checkPolicyFile: (path, kind) => (files.has(path) ? { ok: true } : missing(path, kind)),
    now,
  };
}

/** A bundle is looked at for every source of a cluster, and never changes: its ceilings are read once. */
const readCeilings = new WeakMap<BundleFiles, ParsedFairUse>();

/** The ceilings of the bundle with what is wrong with them; undefined when it has no such file. */
export function bundleFairUse(files: BundleFiles): ParsedFairUse | undefined {
  const known = readCeilings.get(files);
  const bytes = files.get(fairUsePath);
  if (known !== undefined || bytes === undefined) return known;
  const parsed = parseFairUse(bytes, fairUsePath);
  readCeilings.set(files, parsed);
  return parsed;
}

/** As cli/lint-context.ts says it of a folder. */
function missing(path: string, kind: PolicyFileKind): PolicyCheck {
  return {
    ok: false,
    problem: "missing",
    sentence: `There is no ${kind === "xsd" ? "schema" : "rule set"} ${path} in the policy bundle.`,
    remedy:
      "Paths are relative to the policy root: correct the path, or pack the file with harvestctl bundle and deliver the new bundle.",
  };
}
