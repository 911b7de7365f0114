import { assemble, newRunId } from "../harvester/assemble.js";
import { asFault } from "../harvester/fault.js";
import { harvest } from "../harvester/harvest.js";
import type { Store } from "../harvester/persist/store.js";
import type { Observer } from "../harvester/report/events.js";
import { eventLog, type LogLevel } from "../harvester/report/log.js";
import type { RunSummary } from "../harvester/report/summary.js";
import { stopSignal } from "../harvester/stop-signal.js";
import type { HarvestSource } from "../source/harvest-source.generated.js";
import { notBegun } from "./not-begun.js";
import { startProgress } from "./progress.js";

export interface RunOptions {
  readonly root: string;
  readonly secrets?: string;
  readonly threads?: number;
  readonly limit?: number;
  /** JSON lines on standard error instead of a progress line. */
  readonly logLevel?: LogLevel;
}

/**
 * Harvests one source and always gives a summary: what stops the run before it starts (a rule file that is missing, a
 * source another process holds) is a failed run with its reason, not an exception.
 */
export async function runOne(source: HarvestSource, store: Store, options: RunOptions): Promise<RunSummary> {
  const runId = newRunId();
  const startedAt = new Date();
  const stop = stopSignal(source.spec.limits.maxRunSeconds);
  const told = watch(runId, source, options);
  try {
    const assembled = await assemble({
      ...options,
      source,
      store,
      runId,
      observe: told.observe,
      signal: stop.signal,
      environment: process.env,
    });
    return await harvest(assembled.run).finally(() => assembled.close());
  } catch (error) {
    return notBegun(source, { runId, startedAt, fault: asFault(error) });
  } finally {
    stop.end();
    told.end();
  }
}

function watch(
  runId: string,
  source: HarvestSource,
  { logLevel, limit }: RunOptions,
): { observe: Observer; end(): void } {
  if (logLevel === undefined) return startProgress(limit);
  return {
    observe: eventLog({ level: logLevel, runId, source: source.metadata.name }),
    end: () => undefined,
  };
}

/** The exit code of several runs: that of the one which needs a human most (docs/exit-codes.md). */
export function worstExitCode(summaries: readonly RunSummary[]): number {
  const codes = new Set(summaries.map((s) => s.exitCode));
  return urgency.find((code) => codes.has(code)) ?? 0;
}

const urgency = [78, 77, 70, 74, 65, 69, 75];
