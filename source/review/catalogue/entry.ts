import type { Severity } from "../../finding.js";

/** One kind of consequence, explained: what docs/consequences.md and `rules explain` say of it. */
export interface CatalogueEntry {
  /** Stable: it stands in comments, SARIF and pipelines. Never used again for something else. */
  readonly id: string;
  readonly title: string;
  /** The usual one first; another where the sentence says why. */
  readonly severities: readonly [Severity, ...Severity[]];
  /** When it is told. */
  readonly told: string;
  /** What it means for records, agencies and clusters. */
  readonly means: string;
  /** What a reviewer or author does. */
  readonly todo: string;
}
