import type { StoredState } from "../record.js";
import { textArray } from "./binary-array.js";
import type { Queryable } from "./db.js";
import type { Hold } from "./lease.js";
import { loadStates as loadStatesSql } from "./sql/load-states.js";
import { identifierKey } from "./storable.js";

interface StateRow {
  readonly identifier: string;
  readonly checksum: Uint8Array | null;
  readonly raw_checksum: Uint8Array | null;
  readonly datestamp: string | null;
  readonly sequence: number | null;
  readonly deleted: boolean | null;
  readonly sets: readonly string[] | null;
  readonly refused_checksum: Uint8Array | null;
  readonly refused_policy: string | null;
}

/**
 * What is stored of each identifier; absent when nothing is. A record known only from quarantine has a state without
 * checksum and without sets.
 */
export async function loadStates(
  db: Queryable,
  hold: Pick<Hold, "sourceId">,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, StoredState>> {
  const keys = new Map(identifiers.map((identifier) => [identifier, identifierKey(identifier)]));
  if (keys.size === 0) return new Map();
  const rows = await db.query<StateRow>(loadStatesSql, [
    hold.sourceId,
    textArray([...new Set(keys.values())]),
  ]);
  const states = new Map(rows.map((row) => [row.identifier, stateOf(row)]));
  const found = new Map<string, StoredState>();
  for (const [identifier, key] of keys) {
    const state = states.get(key);
    if (state !== undefined) found.set(identifier, state);
  }
  return found;
}

function stateOf(row: StateRow): StoredState {
  return {
    ...(row.checksum === null ? {} : { checksum: row.checksum }),
    ...(row.raw_checksum === null ? {} : { rawChecksum: row.raw_checksum }),
    ...(row.datestamp === null ? {} : { datestamp: row.datestamp }),
    ...(row.sequence === null ? {} : { sequence: row.sequence }),
    deleted: row.deleted ?? false,
    sets: row.sets ?? [],
    ...(row.refused_checksum === null
      ? {}
      : { quarantined: { rawChecksum: row.refused_checksum, policyDigest: row.refused_policy ?? "" } }),
  };
}
