/**
 * The schema's history: numbered .sql files, forward only, one transaction each, the file's checksum kept beside it.
 * Several processes may migrate at once: the advisory lock lets one do the work and the others see it done.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Fault } from "../fault.js";
import type { Db, Queryable } from "./db.js";
import { grantRoles } from "./roles.js";

interface Migration {
  readonly name: string;
  readonly checksum: string;
  readonly sql: string;
}

interface Applied {
  readonly name: string;
  readonly checksum: string;
}

/** Any number nobody else locks in this database. */
const lockKey = 7231000;
const folder = new URL("./migrations/", import.meta.url);

/**
 * Brings the database to this version of the code and returns the names of the files applied now. Where the roles of
 * roles.sql exist the tables belong to harvest_owner, and the grants are stated anew.
 * Throws Fault `store`: a file changed after it was applied, or a database newer than the code.
 */
export async function migrate(db: Db, from: URL = folder): Promise<readonly string[]> {
  const files = readMigrations(from);
  const pending = pendingOf(files, await readApplied(db));
  const done: string[] = [];
  for (const file of pending) {
    if (await apply(db, file)) done.push(file.name);
  }
  if (done.length > 0) await grantRoles(db);
  return done;
}

/** Throws Fault `store` unless the database has exactly the schema of this code; changes nothing. */
export async function demandMigrated(db: Db): Promise<void> {
  const pending = pendingOf(readMigrations(folder), await readApplied(db));
  if (pending.length === 0) return;
  throw new Fault("store", {
    code: "NotMigrated",
    sentence: `The database lacks ${String(pending.length)} schema change(s), from ${pending[0]?.name ?? ""} on.`,
    remedy: "Migrate it as a member of harvest_owner (docs/store.md), then run again.",
  });
}

function readMigrations(from: URL): readonly Migration[] {
  const names = readdirSync(from)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort();
  return names.map((name) => {
    // A checkout with CRLF line ends is the same migration.
    const sql = readFileSync(new URL(name, from), "utf8").replaceAll("\r\n", "\n");
    return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
  });
}

async function readApplied(db: Queryable): Promise<readonly Applied[]> {
  const [table] = await db.query<{ exists: boolean }>(
    "SELECT to_regclass('migration') IS NOT NULL AS exists",
  );
  if (table?.exists !== true) return [];
  return db.query<Applied>("SELECT name, checksum FROM migration ORDER BY name");
}

/** What is left to do, after checking that what was done is what the files say. */
function pendingOf(files: readonly Migration[], applied: readonly Applied[]): readonly Migration[] {
  const known = new Map(files.map((file) => [file.name, file]));
  for (const { name, checksum } of applied) {
    const file = known.get(name);
    if (file === undefined) throw newer(name);
    if (file.checksum !== checksum) throw changed(name);
  }
  const done = new Set(applied.map(({ name }) => name));
  return files.filter((file) => !done.has(file.name));
}

/** False when another process was faster. */
async function apply(db: Db, file: Migration): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Local to this transaction: a migration, or the wait for a rival's, may take longer than a statement of a run.
    await tx.script("SET LOCAL statement_timeout TO 0; SET LOCAL lock_timeout TO '10min'");
    await tx.query("SELECT pg_advisory_xact_lock($1::bigint)", [lockKey]);
    await becomeOwner(tx);
    await tx.script(
      "CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
    );
    // The row first: the primary key itself would stop a rival, should the lock ever fail to.
    const inserted = await tx.query<{ name: string }>(
      "INSERT INTO migration (name, checksum) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name",
      [file.name, file.checksum],
    );
    if (inserted.length === 0) return false;
    await tx.script(file.sql);
    return true;
  });
}

/** Roles belong to the whole server: only where roles.sql prepared this very database do its tables belong to one. */
async function becomeOwner(tx: Queryable): Promise<void> {
  const [row] = await tx.query<{ prepared: boolean }>(
    "SELECT pg_has_role(current_user, oid, 'MEMBER') AND has_schema_privilege(oid, current_schema(), 'CREATE') AS prepared FROM pg_roles WHERE rolname = 'harvest_owner'",
  );
  if (row?.prepared === true) await tx.script("SET LOCAL ROLE harvest_owner");
}

function newer(name: string): Fault {
  return new Fault("store", {
    code: "DatabaseNewer",
    sentence: `The database has schema change ${name}, which this harvestctl does not know: it is newer than this program.`,
    remedy: "Update harvestctl; an older one would not keep what the newer one promised.",
  });
}

function changed(name: string): Fault {
  return new Fault("store", {
    code: "MigrationChanged",
    sentence: `The file ${name} is not the one that was applied to the database.`,
    remedy: "Restore the file as released; changes of the schema go into a new file with the next number.",
  });
}
