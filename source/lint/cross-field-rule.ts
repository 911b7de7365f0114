import type { HarvestSource, HarvestSourceSpec } from "../harvest-source.generated.js";
import type { Path } from "../yaml/node-place.js";

/** Something several fields of one source must agree on. */
export interface CrossFieldRule {
  readonly rule: string;
  readonly path: Path;
  /** Word for word the message of the CRD's rule: a test holds the two lists against each other. */
  readonly message: string;
  readonly remedy: string;
  holds(spec: HarvestSourceSpec, source: HarvestSource): boolean;
}
