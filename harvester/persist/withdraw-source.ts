/**
 * Withdraws everything of a source that left the policy (deletions.onSourceRemoval: withdraw): records become deleted
 * ones with body and reason, as tombstones make them, and open quarantine entries are closed. Last, the cursors go, so
 * that a source of the same name, should it come back, is read from the beginning.
 */
import type { Db } from "./db.js";
import { findSource } from "./sql/find-source.js";
import { forgetCursors } from "./sql/forget-cursors.js";
import { listAlive } from "./sql/list-alive.js";
import { listOpenQuarantine } from "./sql/list-open-quarantine.js";
import type { RunStart, RunStore, SourceTotals, Store } from "./store.js";

/** Identifiers a transaction withdraws; the signal is looked at between two. */
const batchSize = 1000;

export interface Withdrawing {
  readonly db: Db;
  /** Over the same database. */
  readonly store: Store;
  /** Its `source` is the name the store keeps it under. */
  readonly start: RunStart;
  /** Stops it between two batches; what is withdrawn stays so, and the next call goes on. */
  readonly signal: AbortSignal;
  /** Called after each batch with how many records are withdrawn so far. */
  readonly onProgress?: (withdrawn: number) => void;
  readonly now: () => Date;
}

export interface Withdrawn {
  readonly withdrawn: number;
  /** What is left: nothing, unless the signal came. */
  readonly remaining: SourceTotals;
}

/** Safe to call again at any time. Throws Fault `busy` while a run holds the source, Fault `store` when the store fails. */
export async function withdrawSource(work: Withdrawing): Promise<Withdrawn> {
  const { db, store, start } = work;
  const [known] = await db.query<{ id: number }>(findSource, [start.source]);
  // Never harvested: nothing to withdraw, and no row to make.
  if (known === undefined) return { withdrawn: 0, remaining: { records: 0, quarantined: 0 } };
  const run = await store.begin(start);
  let withdrawn = 0;
  try {
    for (const sql of [listAlive, listOpenQuarantine]) {
      for await (const identifiers of pages(work, sql, known.id)) {
        withdrawn += await withdraw(run, start, identifiers);
        work.onProgress?.(withdrawn);
      }
    }
    if (!work.signal.aborted) await db.query(forgetCursors, [known.id, start.runId]);
  } catch (error) {
    await run.finish(endOf(work, withdrawn, "failed")).catch(() => undefined);
    throw error;
  }
  const remaining = await run.totals();
  await run.finish(endOf(work, withdrawn, work.signal.aborted ? "interrupted" : "complete"));
  return { withdrawn, remaining };
}

/** By identifier, so that no record is looked at twice however many were withdrawn before. */
async function* pages(
  { db, signal }: Withdrawing,
  sql: string,
  sourceId: number,
): AsyncGenerator<readonly string[], void, void> {
  let last = "";
  while (!signal.aborted) {
    const rows = await db.query<{ identifier: string }>(sql, [sourceId, last, batchSize]);
    const identifiers = rows.map((row) => row.identifier);
    if (identifiers.length > 0) yield identifiers;
    if (identifiers.length < batchSize) return;
    last = identifiers.at(-1) ?? last;
  }
}

async function withdraw(
  run: RunStore,
  { endpoint, prefix }: RunStart,
  identifiers: readonly string[],
): Promise<number> {
  const { withdrawn } = await run.commit({
    key: { endpoint, set: "", prefix },
    changes: [],
    touches: [],
    refusals: [],
    healed: [],
    withdrawals: identifiers.map((identifier) => ({ identifier, set: "", reason: "source-removed" })),
  });
  return withdrawn;
}

function endOf(
  { now }: Withdrawing,
  withdrawn: number,
  outcome: "complete" | "interrupted" | "failed",
): Parameters<RunStore["finish"]>[0] {
  const none = { requests: 0, bytes: 0, read: 0, inserted: 0, updated: 0, unchanged: 0, quarantined: 0 };
  const complete = outcome === "complete";
  const message = complete
    ? "The source was removed: all its records are withdrawn."
    : "The source was removed; the withdrawal of its records did not come to its end.";
  return {
    outcome,
    exitCode: complete ? 0 : 75,
    ...(complete ? {} : { code: "WithdrawalUnfinished" }),
    message,
    counts: { ...none, withdrawn },
    endedAt: `${now().toISOString().slice(0, 19)}Z`,
    summary: { task: "withdraw", withdrawn, message },
  };
}
