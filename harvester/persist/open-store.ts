/** The store over a database, PostgreSQL or embedded: one SQL text for both. */
import type { Db, Queryable } from "./db.js";
import { takeSource, type Hold } from "./lease.js";
import { createLocalLimiter, createSharedLimiter } from "./limiter.js";
import { openRun } from "./open-run.js";
import { beginRun } from "./sql/begin-run.js";
import { dropSweep } from "./sql/drop-sweep.js";
import { expireLeases } from "./sql/expire-leases.js";
import { reapRuns } from "./sql/reap-runs.js";
import { upsertSource } from "./sql/upsert-source.js";
import { storableJson } from "./storable.js";
import type { RunStart, RunStore, Store } from "./store.js";

/** The database must be migrated (migrate.ts); one store a database door. Closing the store closes the door. */
export function openStore(db: Db): Store {
  // One process alone can open the embedded database, so a ceiling over all its processes is one in memory.
  const limiter = db.engine === "postgres" ? createSharedLimiter(db) : createLocalLimiter();
  let leftoversEnded = db.engine === "postgres";
  return {
    async begin(start: RunStart): Promise<RunStore> {
      if (!leftoversEnded) await db.query(expireLeases);
      leftoversEnded = true;
      const hold = await db.transaction((tx) => begin(tx, start));
      return openRun({ db, hold, limiter });
    },
    async close(): Promise<void> {
      await limiter.close();
      await db.close();
    },
  };
}

async function begin(tx: Queryable, start: RunStart): Promise<Hold> {
  const { runId, source, endpoint, prefix, policyDigest, holder } = start;
  const [row] = await tx.query<{ id: number }>(upsertSource, [source, endpoint, prefix]);
  const sourceId = row?.id ?? 0;
  const token = await takeSource(tx, { sourceId, source, runId, holder });
  await tx.query(reapRuns, [sourceId, runId]);
  await tx.query(dropSweep, [sourceId]);
  const manifest = storableJson(start.manifest);
  await tx.query(beginRun, [
    runId,
    sourceId,
    endpoint,
    prefix,
    policyDigest,
    holder,
    manifest,
    start.startedAt,
  ]);
  return {
    sourceId,
    source,
    runId,
    token,
    policyDigest,
    ...(start.sets === undefined ? {} : { sets: start.sets }),
  };
}
