/** All sources of a dry run: so many at once, each on its own, none stopped by another. */
import { availableParallelism } from "node:os";
import { newRunId } from "../../harvester/assemble.js";
import { asFault, Fault } from "../../harvester/fault.js";
import type { Tape } from "../../harvester/fetch/exchange-tape-reader.js";
import type { TapeWriter } from "../../harvester/fetch/exchange-tape-writer.js";
import { createLocalLimiter } from "../../harvester/persist/limiter.js";
import type { Behind } from "../../harvester/persist/memory-store.js";
import { policyRequestOf } from "../../harvester/policy.js";
import type { RunEvent } from "../../harvester/report/events.js";
import type { LogLevel } from "../../harvester/report/log.js";
import type { RunSummary } from "../../harvester/report/summary.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { nameOf } from "../../source/source-name.js";
import { inParallel } from "./in-parallel.js";
import type { RealStore } from "./real-store.js";
import { GateHall } from "./shared-gates.js";
import { playedTake, recordedTake, type Take } from "./take.js";
import { notBegun } from "../not-begun.js";
import { tryOne, type TrialParts } from "./trial.js";
import { aimed, type TrialTarget } from "./trial-target.js";
import { asTried, triedOf, type Tried } from "./tried.js";

export interface TrialOptions {
  readonly target: TrialTarget;
  readonly root: string;
  readonly secrets?: string | undefined;
  readonly limit: number;
  readonly maxRequests: number | undefined;
  /** Sources at once. */
  readonly jobs: number;
  /** Gate threads in all, default as many as cores. */
  readonly threads?: number | undefined;
  readonly store?: RealStore | undefined;
  /** From the beginning, though the store knows how far the source was read. */
  readonly full: boolean;
  readonly record?: { readonly tape: TapeWriter; readonly seed: number } | undefined;
  readonly replay?: Tape | undefined;
  readonly signal: AbortSignal;
  readonly logLevel?: LogLevel | undefined;
  readonly onBegin: (source: string) => void;
  readonly onEvent: (event: RunEvent) => void;
  readonly onEnd: (source: string) => void;
}

export interface TriedRun {
  readonly tried: Tried;
  readonly summary: RunSummary;
}

/** In the order of the sources. Never throws for a source. */
export async function trySources(
  sources: readonly HarvestSource[],
  options: TrialOptions,
): Promise<readonly TriedRun[]> {
  const threads = Math.max(1, options.threads ?? availableParallelism());
  // Sources with the same policy share their gates.
  const requests = sources.map(({ spec }) => JSON.stringify(policyRequestOf(options.root, spec)));
  const policies = Math.min(options.jobs, new Set(requests).size);
  const hall = new GateHall({ threads, policies });
  const shared: Shared = { options, gates: (policy) => hall.open(policy), limiter: createLocalLimiter() };
  try {
    return await inParallel(sources, options.jobs, async (source) => {
      options.onBegin(nameOf(source));
      const done = await tryThis(source, shared);
      options.onEnd(nameOf(source));
      return done;
    });
  } finally {
    await hall.close();
  }
}

interface Shared extends Pick<TrialParts, "gates" | "limiter"> {
  readonly options: TrialOptions;
}

async function tryThis(source: HarvestSource, shared: Shared): Promise<TriedRun> {
  const { options } = shared;
  const startedAt = new Date();
  let take: Take | undefined;
  let summary: RunSummary;
  try {
    demandGoing(options.signal);
    take = await takeOf(source, options);
    const { root, secrets, limit, maxRequests, signal, logLevel } = options;
    const run = { root, secrets, limit, maxRequests, signal, logLevel, observe: options.onEvent };
    summary = await tryOne({ ...shared, ...run, ...take, source });
  } catch (error) {
    const fault = asFault(error);
    summary = notBegun(source, { runId: newRunId(), startedAt, fault });
  }
  const lastRun = await options.store?.lastRun(source).catch(() => undefined);
  const facts = { source: nameOf(source), besideStore: take?.behind !== undefined, lastRun };
  const told = asTried(summary);
  return { summary: told, tried: triedOf({ ...facts, summary: told, unheard: take?.unheard?.() }) };
}

async function takeOf(source: HarvestSource, options: TrialOptions): Promise<Take> {
  const { target, record, replay } = options;
  if (replay !== undefined) return playedTake(source, replay);
  const behind = await behindOf(source, options);
  if (record !== undefined) return recordedTake({ source, target, behind, ...record });
  return { aimed: aimed(source, target), behind };
}

/** Records of a sandbox are not those the store knows. */
async function behindOf(
  source: HarvestSource,
  { target, store, full }: TrialOptions,
): Promise<Behind | undefined> {
  if (target.kind !== "live") return undefined;
  const behind = await store?.behind(source);
  if (behind === undefined || !full) return behind;
  return { ...behind, loadCursor: () => Promise.resolve({}) };
}

function demandGoing(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw signal.reason instanceof Fault
    ? signal.reason
    : new Fault("interrupted", { code: "Interrupted", sentence: "The dry run was stopped." });
}
