import type { Finding } from "../../source/finding.js";
import type { Suppressed } from "../../source/lint/suppression.js";
import type { PlannedRuns } from "../../source/planned-runs.js";

/** What lint found, for every format; stable names in JSON. */
export interface LintReport {
  /** What counts. */
  readonly findings: readonly Finding[];
  /** Held back by an annotation of their manifest. */
  readonly suppressed: readonly Suppressed[];
  /** Known by the baseline. */
  readonly known: readonly Finding[];
  readonly sources: readonly PlannedRuns[];
  readonly counts: LintCounts;
  /** With --fix: what was mended; with --fix --diff what would be. */
  readonly mended?: readonly Finding[];
}

export interface LintCounts {
  readonly sources: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly suppressed: number;
  readonly known: number;
}

/** Sums over a report's parts. */
export function countsOf({
  findings,
  suppressed,
  known,
  sources,
}: Pick<LintReport, "findings" | "suppressed" | "known"> & { readonly sources: number }): LintCounts {
  const count = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) count[severity] += 1;
  return {
    sources,
    errors: count.error,
    warnings: count.warning,
    infos: count.info,
    suppressed: suppressed.length,
    known: known.length,
  };
}
