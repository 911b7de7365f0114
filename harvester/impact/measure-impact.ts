/**
 * Replays changed rules and schemas over records that are there: which would be refused that pass today, and which would
 * pass that are refused today. Writes nothing; memory does not grow with the records.
 */
import { availableParallelism } from "node:os";
import { compareText } from "../../source/compare-text.js";
import type { ImpactFacts } from "../../source/review/facts.js";
import type { Impact, ImpactItem, NotReplayed, SampleWish, SourceReplay } from "./impact.js";
import { estimateOf } from "./estimate.js";
import { prepare, type PrepareRequest, type ReplayGroup } from "./prepare.js";
import { replayGroup, type ImpactProgress, type ReplayContext } from "./replay-group.js";

export interface ImpactRequest extends PrepareRequest {
  /** Judge only so many, chosen at random; absent, or as many as there are: all. */
  readonly sample?: SampleWish | undefined;
  /** Gate threads, default as many as cores. */
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImpactProgress) => void) | undefined;
}

/**
 * Only sources whose policy changes are looked at (schemas and rule sets with all they import, phase, prefix, size limit).
 * Throws Fault `store`, and Fault `interrupted` when the signal aborts; a policy that cannot be used is told in the result.
 */
export async function measureImpact(request: ImpactRequest): Promise<Impact> {
  const { groups, notReplayed } = await prepare(request);
  const names = groups.flatMap(({ sources }) => sources.map(({ name }) => name));
  const total = sum(groups.flatMap(({ sources }) => sources.map(({ records }) => records)));
  const size = Math.min(request.sample?.size ?? total, total);
  const sampled = request.sample !== undefined && size < total;
  const items = sampled
    ? await request.records.sample(names, request.sample)
    : (name: string): AsyncIterable<ImpactItem> => request.records.all(name);
  const replayed = await replayAll(groups, {
    items,
    threads: Math.max(1, request.threads ?? availableParallelism()),
    signal: request.signal,
    progress: progressOf(size, request.onProgress),
  });
  return impactOf(replayed.sources, [...notReplayed, ...replayed.notReplayed]);
}

/** What a review needs of it. */
export function impactFacts({ judged, records, sources }: Impact): ImpactFacts {
  return {
    judged,
    records,
    sources: sources.map((source) => ({
      key: source.key,
      judged: source.judged,
      newlyQuarantined: source.newlyQuarantined,
      released: source.released,
    })),
  };
}

async function replayAll(
  groups: readonly ReplayGroup[],
  context: ReplayContext,
): Promise<{ sources: readonly SourceReplay[]; notReplayed: readonly NotReplayed[] }> {
  const sources: SourceReplay[] = [];
  const notReplayed: NotReplayed[] = [];
  for (const group of groups) {
    const done = await replayGroup(group, context);
    sources.push(...done.sources);
    notReplayed.push(...done.notReplayed);
  }
  return { sources, notReplayed };
}

function progressOf(total: number, tell: ImpactRequest["onProgress"]): ReplayContext["progress"] {
  const sofar = { judged: 0, total, newlyQuarantined: 0, released: 0 };
  return ({ base, head }) => {
    sofar.judged += 1;
    if (base === undefined && head !== undefined) sofar.newlyQuarantined += 1;
    if (base !== undefined && head === undefined) sofar.released += 1;
    const told: ImpactProgress = { ...sofar };
    tell?.(told);
  };
}

function impactOf(sources: readonly SourceReplay[], notReplayed: readonly NotReplayed[]): Impact {
  const judged = sum(sources.map((source) => source.judged));
  const records = sum(sources.map((source) => source.records));
  const newlyQuarantined = sum(sources.map((source) => source.newlyQuarantined));
  const released = sum(sources.map((source) => source.released));
  return {
    judged,
    records,
    newlyQuarantined,
    released,
    sources: [...sources].sort(byKey),
    notReplayed: [...notReplayed].sort(byKey),
    ...estimateOf({ records, judged, newlyQuarantined, released }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return compareText(a.key, b.key);
}
