/** What a real store knows of one source, for a dry run beside it: only SELECT, no hold on the source. */
import type { Cursor, CursorKey, StoredState, UnfinishedList } from "../record.js";
import type { Db } from "./db.js";
import { loadEndpointState } from "./endpoint.js";
import type { Behind } from "./memory-store.js";
import { findSource } from "./sql/find-source.js";
import { loadCursor } from "./sql/load-cursor.js";
import { loadStates } from "./states.js";

/** Undefined: the store has never heard of a source of this name. Throws Fault `store`. */
export async function viewSource(db: Db, name: string): Promise<Behind | undefined> {
  const [row] = await db.query<{ id: number }>(findSource, [name]);
  if (row === undefined) return undefined;
  const sourceId = row.id;
  return {
    loadCursor: (key) => cursorOf(db, sourceId, key),
    loadStates: (identifiers): Promise<ReadonlyMap<string, StoredState>> =>
      loadStates(db, { sourceId }, identifiers),
    loadEndpoint: (endpoint) => loadEndpointState(db, endpoint),
  };
}

interface CursorRow {
  readonly watermark: string | null;
  readonly unfinished: UnfinishedList | null;
  readonly swept_at: string | null;
}

export async function cursorOf(db: Db, sourceId: number, key: CursorKey): Promise<Cursor> {
  const [row] = await db.query<CursorRow>(loadCursor, [sourceId, key.endpoint, key.set, key.prefix]);
  if (row === undefined) return {};
  return {
    ...(row.watermark === null ? {} : { watermark: row.watermark }),
    ...(row.unfinished === null ? {} : { unfinished: row.unfinished }),
    ...(row.swept_at === null ? {} : { sweptAt: row.swept_at }),
  };
}
