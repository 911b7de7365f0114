import type { Queryable } from "./db.js";
import { loadEndpoint } from "./sql/load-endpoint.js";
import { saveEndpoint } from "./sql/save-endpoint.js";
import { storableInstant, storableText } from "./storable.js";
import type { EndpointState } from "./store.js";

interface EndpointRow {
  readonly blocked_until: string | null;
  readonly blocked_because: string | null;
  readonly consecutive_failures: number;
  readonly opened_at: string | null;
}

export async function loadEndpointState(db: Queryable, endpoint: string): Promise<EndpointState> {
  const [row] = await db.query<EndpointRow>(loadEndpoint, [endpoint]);
  if (row === undefined) return { consecutiveFailures: 0 };
  return {
    consecutiveFailures: row.consecutive_failures,
    ...(row.blocked_until === null ? {} : { blockedUntil: row.blocked_until }),
    ...(row.blocked_because === null ? {} : { blockedBecause: row.blocked_because }),
    ...(row.opened_at === null ? {} : { openedAt: row.opened_at }),
  };
}

export async function saveEndpointState(
  db: Queryable,
  endpoint: string,
  state: EndpointState,
): Promise<void> {
  await db.query(saveEndpoint, [
    endpoint,
    storableInstant(state.blockedUntil),
    state.blockedBecause === undefined ? null : storableText(state.blockedBecause),
    state.consecutiveFailures,
    storableInstant(state.openedAt),
  ]);
}
