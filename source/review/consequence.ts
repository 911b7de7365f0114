import type { Place, Severity } from "../finding.js";

/** One thing a change will do, for a reviewer. */
export interface Consequence {
  /** Stable id (source/review/catalogue.ts, docs/consequences.md), e.g. `full-reharvest`. */
  readonly id: string;
  readonly severity: Severity;
  /** Key of the source, or undefined for the policy as a whole. */
  readonly source?: string;
  /** What will happen, with the figures there are. One or two sentences, plain text: formats escape it. */
  readonly sentence: string;
  /** What to do, where there is something. */
  readonly remedy?: string;
  /** In the head; for what is gone, in the base. */
  readonly place: Place;
}
