import { compareText } from "./compare-text.js";

/** One lint result: which rule, how bad, where, what is wrong in one sentence, and what to do about it. */
export interface Finding {
  /** Stable id, `topic/what`, e.g. `schedule/never-runs` (docs/lint-rules.md). */
  readonly rule: string;
  readonly severity: Severity;
  readonly place: Place;
  readonly sentence: string;
  /** What to do next; absent where the sentence already says it. */
  readonly remedy?: string;
}

/** error = must not be merged; warning = worth a second look; info = told, nothing to do. */
export type Severity = "error" | "warning" | "info";

/** Where: line and column count from 1, column and length in UTF-16 units of that line. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** The order people read findings in: by file, then from top to bottom. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    compareText(a.place.file, b.place.file) ||
    a.place.line - b.place.line ||
    a.place.column - b.place.column ||
    compareText(a.rule, b.rule)
  );
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** 0 = error, 1 = warning, 2 = info: the most severe comes first. */
export function severityRank(severity: Severity): number {
  return RANK[severity];
}

/** The most severe first; within a severity the order stays. */
export function mostSevereFirst<T extends { readonly severity: Severity }>(all: readonly T[]): readonly T[] {
  return [...all].sort((a, b) => RANK[a.severity] - RANK[b.severity]);
}
