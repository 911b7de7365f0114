import type { FairUse } from "../fair-use.js";
import type { Finding, Place, Severity } from "../finding.js";
import type { LocatedSource } from "../located-source.js";
import type { Path } from "../yaml/node-place.js";

/** What lint must know of the world; gathered by the command, so that every rule is a table. */
export interface LintContext {
  /** Ceilings of rules/fair-use.yaml; absent = there is no such file, or it was refused. */
  readonly fairUse?: FairUse;
  /** Metadata prefixes that have a transform. */
  readonly prefixes: readonly string[];
  /** Does this file of the policy exist and load? */
  checkPolicyFile(path: string, kind: PolicyFileKind): PolicyCheck;
  readonly now: Date;
}

export type PolicyFileKind = "xsd" | "schematron";

export type PolicyCheck =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** missing = there is no such file; broken = it cannot be used as what it is named for. */
      readonly problem: "missing" | "broken";
      readonly sentence: string;
      readonly remedy: string;
    };

/** One rule of lint. It sees all sources at once; most look at them one by one. */
export type LintRule = (sources: readonly LocatedSource[], context: LintContext) => readonly Finding[];

/** A rule about each source alone. */
export function eachSource(
  check: (located: LocatedSource, context: LintContext) => readonly Finding[],
): LintRule {
  return (sources, context) => sources.flatMap((located) => check(located, context));
}

/** A finding at a field of a source. */
export function findingAt(
  located: LocatedSource,
  at: Path | Place,
  finding: {
    readonly rule: string;
    readonly severity: Severity;
    readonly sentence: string;
    readonly remedy: string;
  },
): Finding {
  return { ...finding, place: "file" in at ? at : located.place(at) };
}

/** `file:line`, for sentences that point to a second place. */
export function placeText({ file, line }: Place): string {
  return `${file}:${String(line)}`;
}
