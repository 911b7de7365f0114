/** The quarantine, for people and for replay. Reads take no hold; a replay commits through a run of its own. */
import type { Cursor, CursorKey, Instant, Violation } from "../record.js";
import type { Db } from "./db.js";
import { unpack } from "./reading.js";
import { listQuarantine as listQuarantineSql } from "./sql/list-quarantine.js";
import { readQuarantine as readQuarantineSql } from "./sql/read-quarantine.js";
import { resolveQuarantine as resolveQuarantineSql } from "./sql/resolve-quarantine.js";
import { identifierKey } from "./storable.js";
import type { Refusal } from "./store.js";

export interface QuarantineRow {
  /** Stable number of the entry. */
  readonly id: number;
  readonly source: string;
  readonly identifier: string;
  readonly set: string;
  readonly gate: Violation["gate"];
  readonly rule: string;
  readonly message: string;
  readonly xpath: string | null;
  readonly line: number | null;
  readonly runId: string;
  readonly policyDigest: string;
  readonly firstSeen: Instant;
  readonly lastSeen: Instant;
  readonly timesSeen: number;
  readonly resolvedAt: Instant | null;
  readonly resolution: "healed" | "replayed" | "withdrawn" | "dismissed" | null;
}

export interface QuarantineEntry extends QuarantineRow {
  readonly violations: readonly Violation[];
  readonly header: Refusal["header"] | null;
  /** The list it came from, and where that stood. */
  readonly cursor: CursorKey & Cursor;
  readonly rawChecksum: Uint8Array;
  /** The bytes as received. */
  readonly body: Uint8Array;
  /** When the sound version still in the catalogue was stored; null: there is none. */
  readonly keptVersionOf: Instant | null;
}

export interface QuarantineFilter {
  readonly source?: string;
  readonly rule?: string;
  readonly run?: string;
  readonly identifier?: string;
  /** Default: only open entries. */
  readonly withResolved?: boolean;
}

/** Without bodies, the newest first; default the first 50. */
export function listQuarantine(
  db: Db,
  filter: Omit<QuarantineFilter, "identifier"> & { readonly limit?: number; readonly offset?: number } = {},
): Promise<readonly QuarantineRow[]> {
  const { source, rule, run, withResolved = false, limit = 50, offset = 0 } = filter;
  return db.query<QuarantineRow>(listQuarantineSql, [
    source ?? null,
    rule ?? null,
    run ?? null,
    withResolved,
    limit,
    offset,
  ]);
}

/** The newest entry of an identifier, open or not; undefined when there is none. */
export async function getQuarantine(
  db: Db,
  identifier: string,
  source?: string,
): Promise<QuarantineEntry | undefined> {
  let newest: QuarantineEntry | undefined;
  const filter = { identifier, withResolved: true, ...(source === undefined ? {} : { source }) };
  for await (const entry of iterateQuarantine(db, filter)) newest = entry;
  return newest;
}

/** Whole entries in the order they first came, read in pages of 50: memory stays small however many there are. */
export async function* iterateQuarantine(
  db: Db,
  filter: QuarantineFilter = {},
): AsyncGenerator<QuarantineEntry, void, void> {
  const { source, rule, run, identifier, withResolved = false } = filter;
  const key = identifier === undefined ? null : identifierKey(identifier);
  let after = 0;
  for (;;) {
    const rows = await db.query<Omit<QuarantineEntry, "body"> & { readonly packed: Uint8Array }>(
      readQuarantineSql,
      [after, source ?? null, rule ?? null, run ?? null, key, withResolved, pageSize],
    );
    for (const { packed, ...row } of rows) {
      yield { ...row, body: unpack(packed) };
      after = row.id;
    }
    if (rows.length < pageSize) return;
  }
}

const pageSize = 50;

/** Closes an open entry; false when it was closed already. */
export async function resolveQuarantine(
  db: Db,
  id: number,
  resolution: "replayed" | "dismissed",
): Promise<boolean> {
  return (await db.query(resolveQuarantineSql, [id, resolution])).length > 0;
}
