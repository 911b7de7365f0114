import type { Severity } from "./finding.js";

/** What is known of a rule beyond one finding of it: for `rules list`, for documentation, and for formats that carry rules. */
export interface RuleDescriptor {
  /** Stable id, as in Finding.rule. */
  readonly id: string;
  /** What is wrong, in a few words, without a full stop. */
  readonly title: string;
  /** Why it matters, in a sentence or two of plain text. */
  readonly explanation: string;
  /** As it is told without options. */
  readonly severity: Severity;
  /** Absolute address of a page that explains the rule. */
  readonly helpUri?: string;
}
