/** Which sources are replayed, under which plan, and under which name their records lie. */
import { storeNames } from "../../source/source-name.js";
import { asFault } from "../fault.js";
import type { ImpactPair, ImpactRecords, NamedSource, NotReplayed, SurveyedSource } from "./impact.js";
import { sideLoader, type LoadedSide } from "./load-side.js";
import { planReplay, type ReplayPlan } from "./plan.js";

export interface Replayable {
  readonly key: string;
  /** As the records name it. */
  readonly name: string;
  readonly records: number;
  /** What is stored was judged by the base's very policy and by no other. */
  readonly trusted: boolean;
}

/** Sources that change from one policy to the same other one: their gates are compiled once. */
export interface ReplayGroup {
  readonly plan: ReplayPlan;
  readonly sources: readonly Replayable[];
}

export interface Prepared {
  readonly groups: readonly ReplayGroup[];
  readonly notReplayed: readonly NotReplayed[];
}

export interface PrepareRequest {
  readonly baseRoot: string;
  readonly headRoot: string;
  readonly pairs: readonly ImpactPair[];
  readonly records: ImpactRecords;
}

interface Change {
  readonly pair: ImpactPair;
  readonly base: LoadedSide;
  readonly head: LoadedSide;
  readonly plan: ReplayPlan;
}

/** Reads policy files and asks how many records there are. Throws Fault `store`; a policy that cannot be read is told. */
export async function prepare(request: PrepareRequest): Promise<Prepared> {
  const { changes, notReplayed } = await changesOf(request);
  const found = await request.records.survey(changes.flatMap(({ pair }) => namedSources(pair)));
  const groups = new Map<string, { plan: ReplayPlan; sources: Replayable[] }>();
  for (const change of changes) {
    const source = recordsOf(change, found, request.pairs);
    if ("reason" in source) {
      notReplayed.push(source);
      continue;
    }
    const key = `${change.base.digest} ${change.head.digest}`;
    const group = groups.get(key) ?? { plan: change.plan, sources: [] };
    groups.set(key, group);
    group.sources.push(source);
  }
  return { groups: [...groups.values()], notReplayed };
}

async function changesOf({
  baseRoot,
  headRoot,
  pairs,
}: PrepareRequest): Promise<{ changes: readonly Change[]; notReplayed: NotReplayed[] }> {
  const [loadBase, loadHead] = [sideLoader(baseRoot), sideLoader(headRoot)];
  const changes: Change[] = [];
  const notReplayed: NotReplayed[] = [];
  for (const pair of pairs) {
    try {
      const [base, head] = [await loadBase(pair.base), await loadHead(pair.head)];
      const plan = planReplay(base, head);
      if (plan === undefined) continue;
      if (pair.base.spec.metadataPrefix === pair.head.spec.metadataPrefix)
        changes.push({ pair, base, head, plan });
      else notReplayed.push(otherFormat(pair.key, pair.base.spec.metadataPrefix, pair));
    } catch (error) {
      const { kind, detail } = asFault(error);
      if (kind !== "config") throw error;
      notReplayed.push({ key: pair.key, reason: "unusable", sentence: detail.sentence });
    }
  }
  return { changes, notReplayed };
}

function namedSources({ base }: ImpactPair): readonly NamedSource[] {
  return storeNames(base).map((name) => ({ name, prefix: base.spec.metadataPrefix }));
}

function recordsOf(
  { pair, base }: Change,
  found: readonly SurveyedSource[],
  pairs: readonly ImpactPair[],
): Replayable | NotReplayed {
  const surveyed = storeNames(pair.base)
    .map((name) => found.find((one) => one.name === name))
    .find((one) => one !== undefined && (one.name !== pair.base.metadata.name || isOnly(one.name, pairs)));
  if (surveyed === undefined)
    return {
      key: pair.key,
      reason: "unknown",
      sentence: `There are no records of ${pair.key}: it was never harvested into this store.`,
    };
  const { name, prefix, items, policies } = surveyed;
  if (prefix !== pair.base.spec.metadataPrefix) return otherFormat(pair.key, prefix, pair);
  const trusted = policies.length === 1 && policies[0] === base.digest;
  return { key: pair.key, name, records: items, trusted };
}

/** Two namespaces may have a source of the same name: a name alone then says nothing. */
function isOnly(name: string, pairs: readonly ImpactPair[]): boolean {
  return pairs.filter(({ base }) => base.metadata.name === name).length === 1;
}

function otherFormat(key: string, stored: string, { head }: ImpactPair): NotReplayed {
  const { metadataPrefix } = head.spec;
  return {
    key,
    reason: "format",
    sentence: `The records of ${key} are stored as ${stored} and will be asked for as ${metadataPrefix}: what those will look like is not known.`,
  };
}
