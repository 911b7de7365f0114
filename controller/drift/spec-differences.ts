import { compareValues, differenceText } from "../../source/difference/compare-values.js";
import { filledSpec } from "../../source/difference/filled-spec.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { difference, type FieldDifference } from "./field-difference.js";

type Spec = HarvestSource["spec"];

/** What differs between two specs, defaults filled in on both sides, sorted by path. Empty = they ask for the same. */
export function specDifferences(delivered: Spec, live: Spec): readonly FieldDifference[] {
  return compareValues({ path: ["spec"], before: filledSpec(delivered), after: filledSpec(live) }).map(
    (each) => difference(differenceText(each), { delivered: each.before, live: each.after }),
  );
}
