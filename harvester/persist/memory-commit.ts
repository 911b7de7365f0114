/** What a batch does to records in memory: the rules of sql/upsert-records.ts and its neighbours, once more in TypeScript. */
import type { Cursor, CursorKey, Instant, StoredState } from "../record.js";
import { latestOfEach } from "./batch.js";
import { identifierKey, storableInstant } from "./storable.js";
import type { Batch, CommitResult, RecordChange, RunStart, Touch, Withdrawal } from "./store.js";

export interface MemoryRecord extends Omit<StoredState, "quarantined"> {
  readonly checksum: Uint8Array;
  readonly rawChecksum: Uint8Array;
  readonly deletedReason?: Withdrawal["reason"];
}

export interface MemorySource {
  readonly records: Map<string, MemoryRecord>;
  readonly quarantine: Map<
    string,
    { readonly rawChecksum: Uint8Array; readonly policyDigest: string; readonly set: string }
  >;
  readonly cursors: Map<string, Cursor>;
}

export function cursorName(key: CursorKey): string {
  return JSON.stringify([key.endpoint, key.set, key.prefix]);
}

export function commitToMemory(source: MemorySource, run: RunStart, batch: Batch): CommitResult {
  const changes = latestOfEach(batch.changes).map((change) => write(source, change));
  for (const touch of latestOfEach(batch.touches)) note(source, touch);
  const withdrawals = latestOfEach(batch.withdrawals).map((withdrawal) => withdraw(source, run, withdrawal));
  const healed = batch.healed.filter((identifier) =>
    source.quarantine.delete(identifierKey(identifier)),
  ).length;
  const refusals = latestOfEach(batch.refusals);
  for (const { identifier, rawChecksum, set } of refusals) {
    source.quarantine.set(identifier, { rawChecksum, policyDigest: run.policyDigest, set });
  }
  if (batch.cursor !== undefined) advance(source, batch.key, batch.cursor);
  return {
    inserted: count(changes, "inserted"),
    updated: count(changes, "updated"),
    withdrawn: count(withdrawals, "withdrawn"),
    quarantined: refusals.length,
    stale: count(changes, "stale") + count(withdrawals, "stale"),
    healed,
  };
}

function count<T>(results: readonly T[], wanted: T): number {
  return results.filter((result) => result === wanted).length;
}

function write(source: MemorySource, change: RecordChange): "inserted" | "updated" | "stale" | "same" {
  const stored = source.records.get(change.identifier);
  if (stored === undefined || wins(stored, change)) {
    source.records.set(change.identifier, merged(stored, change));
    return stored === undefined ? "inserted" : "updated";
  }
  note(source, { identifier: change.identifier, set: change.set });
  return stored.deleted || !equal(stored.checksum, change.checksum) ? "stale" : "same";
}

function merged(stored: MemoryRecord | undefined, change: RecordChange): MemoryRecord {
  const sequence = higher(stored?.sequence, change.sequence);
  const datestamp = later(stored?.datestamp, change.datestamp);
  return {
    checksum: change.checksum,
    rawChecksum: change.rawChecksum,
    deleted: false,
    sets: joined(stored?.sets ?? [], change.set),
    ...(sequence === undefined ? {} : { sequence }),
    ...(datestamp === undefined ? {} : { datestamp }),
  };
}

/** The WHERE of sql/upsert-records.ts. */
function wins(stored: MemoryRecord, change: RecordChange): boolean {
  if (stored.sequence !== undefined && change.sequence !== undefined) {
    const notAsked = stored.deletedReason !== undefined && stored.deletedReason !== "tombstone";
    const back = notAsked && change.sequence === stored.sequence;
    return change.sequence > stored.sequence || back;
  }
  if (!stored.deleted && equal(stored.checksum, change.checksum)) return false;
  return !isNewer(stored, change.datestamp);
}

function note(source: MemorySource, touch: Touch): void {
  const stored = source.records.get(touch.identifier);
  if (stored === undefined || stored.deleted) return;
  const datestamp = later(stored.datestamp, touch.datestamp);
  source.records.set(touch.identifier, {
    ...stored,
    rawChecksum: touch.rawChecksum ?? stored.rawChecksum,
    sets: joined(stored.sets, touch.set),
    ...(datestamp === undefined ? {} : { datestamp }),
  });
}

function withdraw(
  source: MemorySource,
  run: RunStart,
  withdrawal: Withdrawal,
): "withdrawn" | "stale" | "kept" {
  const result = endMembership(source, run, withdrawal);
  if (source.records.get(withdrawal.identifier)?.deleted !== false)
    source.quarantine.delete(withdrawal.identifier);
  return result;
}

function endMembership(
  source: MemorySource,
  run: RunStart,
  withdrawal: Withdrawal,
): "withdrawn" | "stale" | "kept" {
  const stored = source.records.get(withdrawal.identifier);
  if (stored === undefined || stored.deleted) return "kept";
  if (isNewer(stored, withdrawal.datestamp)) return "stale";
  if (withdrawal.set !== "" && !stored.sets.includes(withdrawal.set)) return "kept";
  const sets = remaining(stored.sets, withdrawal.set, run.sets);
  const datestamp = later(stored.datestamp, withdrawal.datestamp);
  const deleted = sets.length === 0;
  source.records.set(withdrawal.identifier, {
    ...stored,
    sets,
    deleted,
    ...(deleted ? { deletedReason: withdrawal.reason } : {}),
    ...(datestamp === undefined ? {} : { datestamp }),
  });
  return deleted ? "withdrawn" : "kept";
}

function remaining(
  sets: readonly string[],
  ended: string,
  asked: readonly string[] | undefined,
): readonly string[] {
  if (ended === "") return [];
  return sets.filter((set) => set !== ended && (asked === undefined || asked.includes(set)));
}

function advance(source: MemorySource, key: CursorKey, cursor: Cursor): void {
  const known = source.cursors.get(cursorName(key));
  const watermark = later(known?.watermark, cursor.watermark);
  const sweptAt = later(known?.sweptAt, cursor.sweptAt);
  source.cursors.set(cursorName(key), {
    ...(watermark === undefined ? {} : { watermark }),
    ...(cursor.unfinished === undefined ? {} : { unfinished: cursor.unfinished }),
    ...(sweptAt === undefined ? {} : { sweptAt }),
  });
}

function isNewer(stored: MemoryRecord, delivered: Instant | undefined): boolean {
  const datestamp = storableInstant(delivered);
  return datestamp !== null && stored.datestamp !== undefined && stored.datestamp > datestamp;
}

function later(stored: Instant | undefined, delivered: Instant | undefined): Instant | undefined {
  const known = storableInstant(delivered) ?? undefined;
  if (stored === undefined || known === undefined) return stored ?? known;
  return stored > known ? stored : known;
}

function higher(stored: number | undefined, delivered: number | undefined): number | undefined {
  if (stored === undefined || delivered === undefined) return stored ?? delivered;
  return Math.max(stored, delivered);
}

function joined(sets: readonly string[], set: string): readonly string[] {
  return sets.includes(set) ? sets : [...sets, set];
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
