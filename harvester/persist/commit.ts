/**
 * One batch, one transaction: the hold is checked and renewed, then records, then quarantine, and the cursor last, so
 * that a crash at any instruction repeats work and loses none (law 1).
 */
import { latestOfEach, slices } from "./batch.js";
import { byteaArray, textArray } from "./binary-array.js";
import type { Queryable } from "./db.js";
import { demandLease, type Hold } from "./lease.js";
import { advanceCursor } from "./sql/advance-cursor.js";
import { closeWithdrawn } from "./sql/close-withdrawn.js";
import { countStale } from "./sql/count-stale.js";
import { healRecords } from "./sql/heal-records.js";
import { touchRecords } from "./sql/touch-records.js";
import { upsertRecords } from "./sql/upsert-records.js";
import { withdrawRecords } from "./sql/withdraw-records.js";
import { identifierKey, storableInstant, storableJson } from "./storable.js";
import type { Batch, CommitResult, RecordChange, Touch, Withdrawal } from "./store.js";
import { refuse } from "./refuse.js";

/** A delivery nothing was written for, looked at once more to tell "stale" from "known". */
interface Unwritten {
  readonly identifier: string;
  readonly checksum?: Uint8Array;
  readonly datestamp?: string;
}

/** Runs inside the caller's transaction. Throws Fault `busy` when the hold is no longer ours. */
export async function commitBatch(tx: Queryable, hold: Hold, batch: Batch): Promise<CommitResult> {
  await demandLease(tx, hold);
  const written = await write(tx, hold, latestOfEach(batch.changes));
  await touch(tx, hold, latestOfEach(batch.touches));
  const withdrawn = await withdraw(tx, hold, latestOfEach(batch.withdrawals));
  const healed = await heal(tx, hold, batch.healed);
  const quarantined = await refuse(tx, hold, batch);
  if (batch.cursor !== undefined) await advance(tx, hold, batch);
  return {
    inserted: written.inserted,
    updated: written.updated,
    withdrawn: withdrawn.withdrawn,
    quarantined,
    stale: written.stale + withdrawn.stale,
    healed,
  };
}

type Upserted = Pick<CommitResult, "inserted" | "updated" | "stale">;

async function write(tx: Queryable, hold: Hold, changes: readonly RecordChange[]): Promise<Upserted> {
  const rows: { identifier: string; inserted: boolean }[] = [];
  for (const slice of slices(changes))
    rows.push(...(await tx.query<(typeof rows)[number]>(upsertRecords, columns(hold, slice))));
  const done = new Set(rows.map((row) => row.identifier));
  const unwritten = changes.filter((change) => !done.has(change.identifier));
  // Content that lost was still seen in this set: the membership counts, the bytes do not.
  await touch(
    tx,
    hold,
    unwritten.map(({ identifier, set }) => ({ identifier, set })),
  );
  const inserted = rows.filter((row) => row.inserted).length;
  return { inserted, updated: rows.length - inserted, stale: await stale(tx, hold, unwritten) };
}

function columns(hold: Hold, slice: readonly RecordChange[]): readonly (number | Uint8Array)[] {
  return [
    hold.sourceId,
    textArray(slice.map((change) => change.identifier)),
    textArray(slice.map((change) => change.set)),
    byteaArray(slice.map((change) => change.checksum)),
    byteaArray(slice.map((change) => change.rawChecksum)),
    textArray(slice.map((change) => change.sequence?.toString())),
    textArray(slice.map((change) => storableInstant(change.datestamp))),
    byteaArray(slice.map((change) => change.packed)),
    textArray(slice.map((change) => storableJson(change.canonical))),
    textArray(slice.map((change) => storableJson(change.about))),
    textArray(slice.map((change) => storableJson(change.remarks))),
  ];
}

async function touch(tx: Queryable, hold: Hold, touches: readonly Touch[]): Promise<void> {
  if (touches.length === 0) return;
  await tx.query(touchRecords, [
    hold.sourceId,
    textArray(touches.map((one) => one.identifier)),
    textArray(touches.map((one) => one.set)),
    textArray(touches.map((one) => storableInstant(one.datestamp))),
    byteaArray(touches.map((one) => one.rawChecksum)),
  ]);
}

type Withdrawn = Pick<CommitResult, "withdrawn" | "stale">;

async function withdraw(tx: Queryable, hold: Hold, withdrawals: readonly Withdrawal[]): Promise<Withdrawn> {
  if (withdrawals.length === 0) return { withdrawn: 0, stale: 0 };
  const identifiers = textArray(withdrawals.map((one) => one.identifier));
  const rows = await tx.query<{ identifier: string; deleted: boolean }>(withdrawRecords, [
    hold.sourceId,
    hold.sets === undefined ? null : textArray(hold.sets),
    identifiers,
    textArray(withdrawals.map((one) => one.set)),
    textArray(withdrawals.map((one) => storableInstant(one.datestamp))),
    textArray(withdrawals.map((one) => one.reason)),
  ]);
  await tx.query(closeWithdrawn, [hold.sourceId, identifiers]);
  const done = new Set(rows.map((row) => row.identifier));
  const unwritten = withdrawals.filter((one) => !done.has(one.identifier));
  return { withdrawn: rows.filter((row) => row.deleted).length, stale: await stale(tx, hold, unwritten) };
}

async function stale(tx: Queryable, hold: Hold, unwritten: readonly Unwritten[]): Promise<number> {
  if (unwritten.length === 0) return 0;
  const [row] = await tx.query<{ stale: number }>(countStale, [
    hold.sourceId,
    textArray(unwritten.map((one) => one.identifier)),
    byteaArray(unwritten.map((one) => one.checksum)),
    textArray(unwritten.map((one) => storableInstant(one.datestamp))),
  ]);
  return row?.stale ?? 0;
}

async function heal(tx: Queryable, hold: Hold, identifiers: readonly string[]): Promise<number> {
  if (identifiers.length === 0) return 0;
  const rows = await tx.query(healRecords, [hold.sourceId, textArray(identifiers.map(identifierKey))]);
  return rows.length;
}

async function advance(tx: Queryable, hold: Hold, { key, cursor }: Batch): Promise<void> {
  await tx.query(advanceCursor, [
    hold.sourceId,
    key.endpoint,
    key.set,
    key.prefix,
    storableInstant(cursor?.watermark),
    cursor?.unfinished === undefined ? null : storableJson(cursor.unfinished),
    storableInstant(cursor?.sweptAt),
    hold.runId,
  ]);
}
