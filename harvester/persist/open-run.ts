/** A run's hold on its source over a database: reads, commits, the sweep, the end. */
import type { StoredState } from "../record.js";
import { commitBatch } from "./commit.js";
import type { Db } from "./db.js";
import { loadEndpointState, saveEndpointState } from "./endpoint.js";
import { demandLease, releaseSource, startHeartbeat, type Hold } from "./lease.js";
import type { Limiter } from "./limiter.js";
import { countAlive } from "./sql/count-alive.js";
import { countTotals } from "./sql/count-totals.js";
import { finishRun } from "./sql/finish-run.js";
import { storableInstant, storableJson, storableText } from "./storable.js";
import { loadStates } from "./states.js";
import { cursorOf } from "./store-view.js";
import type { Batch, CommitResult, RunEnd, RunStore, SourceTotals } from "./store.js";
import { sweepOf } from "./sweep.js";

export interface RunParts {
  readonly db: Db;
  readonly hold: Hold;
  readonly limiter: Limiter;
}

export function openRun({ db, hold, limiter }: RunParts): RunStore {
  const heartbeat = startHeartbeat(db, hold);
  return {
    lost: heartbeat.lost,
    loadCursor: (key) => cursorOf(db, hold.sourceId, key),
    loadStates: (identifiers): Promise<ReadonlyMap<string, StoredState>> => loadStates(db, hold, identifiers),
    commit: (batch) => commit(db, hold, batch),
    ...sweepOf(db, hold),
    async countAlive(set?: string) {
      const [row] = await db.query<{ alive: number }>(countAlive, [hold.sourceId, set ?? null]);
      return row?.alive ?? 0;
    },
    async totals() {
      const [row] = await db.query<SourceTotals>(countTotals, [hold.sourceId]);
      return row ?? { records: 0, quarantined: 0 };
    },
    loadEndpoint: (endpoint) => loadEndpointState(db, endpoint),
    saveEndpoint: (endpoint, state) => saveEndpointState(db, endpoint, state),
    acquireSlot: (host, slots, signal) => limiter.acquireSlot(host, slots, signal),
    reserve: (host, requestsPerSecond) => limiter.reserve(host, requestsPerSecond),
    async finish(end) {
      heartbeat.stop();
      await finish(db, hold, end);
    },
  };
}

async function commit(db: Db, hold: Hold, batch: Batch): Promise<CommitResult> {
  const result = await db.transaction((tx) => commitBatch(tx, hold, batch));
  const bodies = [...batch.changes, ...batch.refusals];
  const bytes = bodies.reduce((sum, item) => sum + item.packed.length + 2048, 0);
  await db.settle({ rows: bodies.length + batch.touches.length + batch.withdrawals.length, bytes });
  return result;
}

async function finish(db: Db, hold: Hold, end: RunEnd): Promise<void> {
  await db.transaction(async (tx) => {
    await demandLease(tx, hold);
    await tx.query(finishRun, [
      hold.runId,
      end.outcome,
      end.exitCode,
      end.code ?? null,
      storableText(end.message),
      storableJson(end.counts),
      storableJson(end.summary),
      storableInstant(end.endedAt),
    ]);
    await releaseSource(tx, hold);
  });
}
