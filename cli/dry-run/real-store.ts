/** The real store beside a dry run: looked at, never written. */
import { Fault } from "../../harvester/fault.js";
import { openDatabaseToRead } from "../../harvester/open-database.js";
import type { Db } from "../../harvester/persist/db.js";
import type { Behind } from "../../harvester/persist/memory-store.js";
import { lastRuns, type RunRow } from "../../harvester/persist/reading.js";
import { viewSource } from "../../harvester/persist/store-view.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { storeNames } from "../../source/source-name.js";

/** The last real harvest of a source, as far as a dry run can be compared with it. */
export interface LastRun {
  readonly runId: string;
  readonly outcome: string;
  /** ISO 8601. */
  readonly endedAt: string;
  readonly read: number;
  readonly refused: number;
  readonly requests: number;
}

export interface RealStore {
  /** What the store knows of a source; undefined: nothing. */
  behind(source: HarvestSource): Promise<Behind | undefined>;
  lastRun(source: HarvestSource): Promise<LastRun | undefined>;
  close(): Promise<void>;
}

export interface FoundStore {
  /** Absent: there is none, or it could not be read. */
  readonly store?: RealStore;
  /** Why a store that is there could not be read. */
  readonly trouble?: string;
}

/** Never throws for the store: a dry run does without. */
export async function findRealStore(choice: Parameters<typeof openDatabaseToRead>[0]): Promise<FoundStore> {
  try {
    const db = await openDatabaseToRead(choice);
    return db === undefined ? {} : { store: realStore(db) };
  } catch (error) {
    if (error instanceof Fault && error.kind !== "bug") return { trouble: error.detail.sentence };
    throw error;
  }
}

function realStore(db: Db): RealStore {
  return {
    async behind(source) {
      for (const name of storeNames(source)) {
        const view = await viewSource(db, name);
        if (view !== undefined) return view;
      }
      return undefined;
    },
    async lastRun(source) {
      for (const name of storeNames(source)) {
        const run = (await lastRuns(db, { source: name, limit: 20 })).find(isHarvest);
        if (run !== undefined) return lastRunOf(run);
      }
      return undefined;
    },
    close: () => db.close(),
  };
}

/** A replay of the quarantine asks nothing of the agency. */
function isHarvest({ status, counts }: RunRow): boolean {
  return status !== "running" && (counts?.requests ?? 0) > 0;
}

function lastRunOf({ runId, status, endedAt, counts }: RunRow): LastRun {
  return {
    runId,
    outcome: status,
    endedAt: endedAt ?? "",
    read: counts?.read ?? 0,
    refused: counts?.quarantined ?? 0,
    requests: counts?.requests ?? 0,
  };
}
