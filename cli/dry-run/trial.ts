/** One source through the real pipeline, on a store in memory. */
import { assemble, newRunId, type Assembly } from "../../harvester/assemble.js";
import { asFault, Fault } from "../../harvester/fault.js";
import { harvest } from "../../harvester/harvest.js";
import type { Limiter } from "../../harvester/persist/limiter.js";
import { openMemoryStore, type Behind } from "../../harvester/persist/memory-store.js";
import type { Store } from "../../harvester/persist/store.js";
import { readCeiling } from "../../harvester/read-ceiling.js";
import type { Observer } from "../../harvester/report/events.js";
import { eventLog, type LogLevel } from "../../harvester/report/log.js";
import type { RunSummary } from "../../harvester/report/summary.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { hostOf } from "../../source/host.js";
import { notBegun } from "../not-begun.js";

export interface TrialParts {
  /** As the manifest says. */
  readonly source: HarvestSource;
  /** The same with the address that is asked. */
  readonly aimed: HarvestSource;
  readonly root: string;
  readonly secrets?: string | undefined;
  readonly limit: number;
  readonly maxRequests: number | undefined;
  readonly gates: NonNullable<Assembly["gates"]>;
  /** Shared by all trials: sources of one host keep its ceiling together. */
  readonly limiter: Pick<Limiter, "acquireSlot" | "reserve">;
  readonly behind?: Behind | undefined;
  readonly client?: Assembly["client"];
  readonly clock?: Assembly["clock"];
  readonly signal: AbortSignal;
  readonly observe: Observer;
  /** JSON lines on standard error. */
  readonly logLevel?: LogLevel | undefined;
}

/** Never throws: what stops a run before it begins is in the summary too. */
export async function tryOne(parts: TrialParts): Promise<RunSummary> {
  const runId = newRunId();
  const startedAt = new Date();
  const bounded = withTimeLimit(parts.aimed.spec.limits.maxRunSeconds, parts.signal);
  try {
    const { aimed, root, secrets, limit, maxRequests, gates, client, clock } = parts;
    const assembled = await assemble({
      source: aimed,
      root,
      ...(secrets === undefined ? {} : { secrets }),
      limit,
      maxRequests,
      gates,
      client,
      clock,
      store: await trialStore(parts),
      runId,
      observe: observerOf(parts, runId),
      signal: bounded.signal,
      environment: process.env,
    });
    return await harvest(assembled.run).finally(() => assembled.close());
  } catch (error) {
    return notBegun(parts.aimed, { runId, startedAt, fault: asFault(error) });
  } finally {
    bounded.end();
  }
}

/** Slots and pace are those of the host in the manifest, also where a sandbox answers in its place. */
async function trialStore({ source, root, limiter, behind }: TrialParts): Promise<Store> {
  const host = hostOf(source) ?? "";
  const ceiling = await readCeiling(root, source);
  return openMemoryStore({
    behind,
    limiter: {
      acquireSlot: (_host, _slots, signal) => limiter.acquireSlot(host, ceiling, signal),
      reserve: (_host, requestsPerSecond) => limiter.reserve(host, requestsPerSecond),
    },
  });
}

function observerOf({ observe, logLevel, source }: TrialParts, runId: string): Observer {
  if (logLevel === undefined) return observe;
  const log = eventLog({ level: logLevel, runId, source: source.metadata.name });
  return (event) => {
    observe(event);
    log(event);
  };
}

function withTimeLimit(
  maxRunSeconds: number,
  signal: AbortSignal,
): { readonly signal: AbortSignal; end(): void } {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(
      new Fault("interrupted", {
        code: "RunTimeExceeded",
        sentence: `The run took longer than limits.maxRunSeconds (${String(maxRunSeconds)} s).`,
        remedy: "Try fewer records with --limit.",
      }),
    );
  }, maxRunSeconds * 1000);
  timer.unref();
  return {
    signal: AbortSignal.any([signal, late.signal]),
    end: () => {
      clearTimeout(timer);
    },
  };
}
