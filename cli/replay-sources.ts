import { assemble, newRunId } from "../harvester/assemble.js";
import { Fault } from "../harvester/fault.js";
import type { Db } from "../harvester/persist/db.js";
import { readManifest } from "../harvester/persist/manifest-reading.js";
import {
  iterateQuarantine,
  listQuarantine,
  type QuarantineFilter,
} from "../harvester/persist/quarantine-reading.js";
import { listSources } from "../harvester/persist/reading.js";
import type { Store } from "../harvester/persist/store.js";
import { replay } from "../harvester/replay.js";
import { eventLog } from "../harvester/report/log.js";
import type { RunSummary } from "../harvester/report/summary.js";
import { stopSignal } from "../harvester/stop-signal.js";
import type { HarvestSource } from "../source/harvest-source.generated.js";
import type { RunOptions } from "./run-one.js";

export interface ReplayOptions {
  readonly filter: QuarantineFilter;
  readonly run: RunOptions;
}

/** Replays the matching entries source by source, each under the manifest of its own last run. */
export async function replaySources(db: Db, store: Store, options: ReplayOptions): Promise<RunSummary[]> {
  const runs: RunSummary[] = [];
  for (const { name } of await listSources(db, options.filter.source)) {
    const filter = { ...options.filter, source: name };
    const [any] = await listQuarantine(db, { ...filter, limit: 1 });
    if (any === undefined) continue;
    const source = await sourceOf(db, name);
    runs.push(await replaySource({ db, store, source, sourceKey: name }, { ...options, filter }));
  }
  return runs;
}

interface Place {
  readonly db: Db;
  readonly store: Store;
  readonly source: HarvestSource;
  /** As the store knows it: pods of a cluster add the namespace. */
  readonly sourceKey: string;
}

async function replaySource(
  { db, store, source, sourceKey }: Place,
  { filter, run }: ReplayOptions,
): Promise<RunSummary> {
  const stop = stopSignal(source.spec.limits.maxRunSeconds);
  const runId = newRunId();
  const observe =
    run.logLevel === undefined
      ? (): void => undefined
      : eventLog({ level: run.logLevel, runId, source: source.metadata.name });
  try {
    const here = { source, sourceKey, store, runId, observe };
    const assembled = await assemble({
      ...run,
      ...here,
      signal: stop.signal,
      environment: process.env,
    });
    return await replay(assembled.run, iterateQuarantine(db, filter)).finally(() => assembled.close());
  } finally {
    stop.end();
  }
}

async function sourceOf(db: Db, name: string): Promise<HarvestSource> {
  const manifest = (await readManifest(db, name)) as HarvestSource | undefined;
  if (manifest !== undefined) return manifest;
  throw new Fault("config", {
    code: "NeverRun",
    sentence: `The store has no run of ${name}, so there is no manifest to judge by.`,
    remedy: "Run the source once with harvestctl run.",
  });
}
