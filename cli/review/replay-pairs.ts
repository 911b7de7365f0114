import type { ImpactPair } from "../../harvester/impact/impact.js";
import { keyOf } from "../../source/review/source-key.js";
import type { Trees } from "./run-review.js";

/** Sources whose records can be judged under both sides: only what is on both has any. */
export function replayPairs({ base, head }: Trees): readonly ImpactPair[] {
  const before = new Map(base.sources.map((located) => [keyOf(located), located.source]));
  return head.sources.flatMap((located) => {
    const key = keyOf(located);
    const source = before.get(key);
    return source === undefined ? [] : [{ key, base: source, head: located.source }];
  });
}
