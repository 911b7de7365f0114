import type { RuleDescriptor } from "../../rule-descriptor.js";

/** One rule of lint, with all that `harvestctl rules explain` and docs/lint-rules.md say of it. */
export interface CatalogueRule extends RuleDescriptor {
  /** What to do about it. */
  readonly fix: string;
  /**
   * Lines of a manifest that break the rule, beginning at `metadata:` or `spec:`, or a whole document; absent where
   * lines cannot show it. A test holds each against lint.
   */
  readonly wrong?: string;
  /** The same lines as they should be. */
  readonly right?: string;
  /**
   * May `ingest.geoportal.io/lint-ignore` hold it back? False where a run or the API server would fail all the same,
   * and where the finding belongs to no source.
   */
  readonly suppressible: boolean;
  /** Does `harvestctl lint --fix` mend it? "some" = where only one thing can be meant. */
  readonly fixable: boolean | "some";
  /** Found only when several sources are looked at together. */
  readonly acrossSources?: boolean;
}

/** What is true of most rules: an error that neither an annotation nor `--fix` makes go away. */
export const firm = { severity: "error", suppressible: false, fixable: false } as const;

/** A second look: may be held back with a reason. */
export const soft = { severity: "warning", suppressible: true, fixable: false } as const;
