import type { Estimate, SourceReplay } from "./impact.js";
import { confidenceInterval, type Interval } from "./interval.js";

type Counts = Pick<SourceReplay, "records" | "judged" | "newlyQuarantined" | "released">;

/** Nothing where all records were judged: then the numbers are known. */
export function estimateOf(counts: Counts): { readonly estimate?: Estimate } {
  const { records, judged, newlyQuarantined, released } = counts;
  if (judged >= records) return {};
  function guess(found: number): Interval {
    return confidenceInterval({ population: records, size: judged, found });
  }
  return { estimate: { newlyQuarantined: guess(newlyQuarantined), released: guess(released) } };
}
