import type { Db } from "./db.js";

const latestManifest = `
SELECT r.manifest FROM run AS r JOIN source AS s ON s.id = r.source_id
WHERE s.name = $1 ORDER BY r.started_at DESC LIMIT 1`;

/** The manifest the newest run of a source was started with: what a replay judges by. Undefined: never run. */
export async function readManifest(db: Db, source: string): Promise<unknown> {
  const [row] = await db.query<{ manifest: unknown }>(latestManifest, [source]);
  return row?.manifest;
}
