/** The two sides of a change, the records there are, and the replay of the one over the other. */
import type { Impact, ImpactRecords } from "../../harvester/impact/impact.js";
import { measureImpact, type ImpactRequest } from "../../harvester/impact/measure-impact.js";
import { Fault } from "../../harvester/fault.js";
import { replayPairs } from "../review/replay-pairs.js";
import { runReview } from "../review/run-review.js";
import type { SidesWish } from "../review/choose-sides.js";

export interface ReplayWish
  extends SidesWish, Pick<ImpactRequest, "sample" | "threads" | "signal" | "onProgress"> {
  readonly records: ImpactRecords;
}

export interface ReplayedChange {
  readonly impact: Impact;
  readonly base: string;
  readonly head: string;
}

/** Throws Fault: a side that is not there, a store that fails, a stop. */
export async function replayChange(wish: ReplayWish): Promise<ReplayedChange> {
  let done: ReplayedChange | undefined;
  await runReview({
    ...wish,
    now: new Date(),
    async factsOf(trees, roots) {
      const { records, sample, threads, signal, onProgress } = wish;
      const impact = await measureImpact({
        baseRoot: roots.base,
        headRoot: roots.head,
        pairs: replayPairs(trees),
        records,
        sample,
        threads,
        signal,
        onProgress,
      });
      done = { impact, base: trees.base.label, head: trees.head.label };
      return { facts: {}, unknowns: [] };
    },
  });
  if (done === undefined)
    throw new Fault("bug", { code: "NoReplay", sentence: "The review asked for no facts." });
  return done;
}
