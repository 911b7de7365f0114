import type { Finding } from "../../source/finding.js";
import type { SuppressibleSource } from "../../source/lint/suppression.js";

/** Sources that go to one cluster together, and what was found while they were read. */
export interface LintSet {
  readonly sources: readonly SuppressibleSource[];
  readonly findings: readonly Finding[];
}
