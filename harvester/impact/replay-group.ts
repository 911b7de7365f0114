/** Sources that change alike, one after the other through the same gates. */
import { asFault, Fault } from "../fault.js";
import { eachOf } from "./each-of.js";
import type { ImpactItem, NotReplayed, SourceReplay } from "./impact.js";
import { judgeBoth, type BothGates, type BothVerdicts } from "./judge-both.js";
import { lazyGates } from "./lazy-gates.js";
import type { ReplayPlan } from "./plan.js";
import type { Replayable, ReplayGroup } from "./prepare.js";
import { ReplayTally } from "./replay-tally.js";

export interface ImpactProgress {
  readonly judged: number;
  /** That will be judged. */
  readonly total: number;
  readonly newlyQuarantined: number;
  readonly released: number;
}

export interface ReplayContext {
  readonly items: (name: string) => AsyncIterable<ImpactItem>;
  readonly threads: number;
  readonly signal: AbortSignal | undefined;
  /** Called for every record. */
  readonly progress: (verdicts: BothVerdicts) => void;
}

export interface ReplayedGroup {
  readonly sources: readonly SourceReplay[];
  readonly notReplayed: readonly NotReplayed[];
}

/** Records under way for each thread: one judged, one waiting, one being read. */
const AT_ONCE = 3;

/** A policy that cannot be compiled costs these sources alone. Throws Fault `store` and `interrupted`. */
export async function replayGroup(group: ReplayGroup, context: ReplayContext): Promise<ReplayedGroup> {
  const gates = openGates(group, context.threads);
  try {
    const sources: SourceReplay[] = [];
    for (const source of group.sources)
      sources.push(await replaySource(source, { plan: group.plan, gates, context }));
    return { sources, notReplayed: [] };
  } catch (error) {
    const { kind, detail } = asFault(error);
    if (kind !== "config") throw error;
    const notReplayed = group.sources.map(({ key }): NotReplayed => ({
      key,
      reason: "unusable",
      sentence: detail.sentence,
    }));
    return { sources: [], notReplayed };
  } finally {
    await Promise.all([gates.base.close(), gates.head.close(), gates.changed.close()]);
  }
}

/** Where the base must be judged too, the two sides share the cores. */
function openGates({ plan, sources }: ReplayGroup, threads: number): BothGates {
  const each = sources.every(({ trusted }) => trusted) ? threads : Math.max(1, Math.floor(threads / 2));
  return {
    base: lazyGates(plan.base, each),
    head: lazyGates(plan.head, each),
    changed: lazyGates(plan.changed ?? plan.head, each),
  };
}

interface SourceContext {
  readonly plan: ReplayPlan;
  readonly gates: BothGates;
  readonly context: ReplayContext;
}

async function replaySource(
  { key, name, records, trusted }: Replayable,
  { plan, gates, context }: SourceContext,
): Promise<SourceReplay> {
  const tally = new ReplayTally();
  await eachOf(context.items(name), context.threads * AT_ONCE, async (item) => {
    stopIfAsked(context.signal);
    const verdicts = await judgeBoth(item, plan, { gates, trusted });
    tally.add(item.identifier, verdicts);
    context.progress(verdicts);
  });
  return tally.result(key, records);
}

function stopIfAsked(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  if (signal.reason instanceof Fault) throw signal.reason;
  throw new Fault("interrupted", {
    code: "Interrupted",
    sentence: "The replay was stopped.",
    cause: signal.reason,
  });
}
