import type { StoreFacts } from "../facts.js";
import { bytes, duration, plural } from "../figures.js";
import { costOfAll } from "../read-again.js";

/** "all 12,481 records are read (about 98 MB, 31 s at the pace of the last full run)"; no full stop. */
export function readingCost(store: StoreFacts | undefined): string {
  const cost = costOfAll(store);
  if (cost.records === undefined) return "all its records are read; how many there are is not known";
  const records = `${cost.records === 1 ? "its" : "all"} ${plural(cost.records, "record is", "records are")} read`;
  if (cost.bytes === undefined || cost.seconds === undefined)
    return `${records}; no full run tells how long that takes`;
  return `${records} (about ${bytes(cost.bytes)}, ${duration(cost.seconds)} at the pace of the last full run)`;
}
