import { join } from "node:path";
import { Fault } from "./fault.js";
import type { Db } from "./persist/db.js";
import { openEmbedded } from "./persist/embedded.js";
import { hasEmbedded, openEmbeddedCopy } from "./persist/embedded-copy.js";
import { demandMigrated, migrate } from "./persist/migrate.js";
import { openPostgres } from "./persist/postgres.js";

export interface DatabaseChoice {
  /** PostgreSQL, when set and not empty. */
  readonly url?: string;
  /** Else the embedded store in this folder. */
  readonly directory: string;
}

/** Where the embedded store lies: beside the manifests. */
export function storeDirectory(root: string): string {
  return join(root, ".harvest");
}

/**
 * Opens the store and brings its tables up to date where that is allowed. The role of a harvest pod may not change
 * tables: then a database that is not up to date is refused with the command an operator runs.
 */
export async function openDatabase(choice: DatabaseChoice): Promise<Db> {
  const { url } = choice;
  const db = url === undefined || url === "" ? await openEmbedded(choice.directory) : await openPostgres(url);
  try {
    await bringUpToDate(db);
    return db;
  } catch (error) {
    await db.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Opens the store to look at it: PostgreSQL refuses every write of the session, the embedded store is copied into memory.
 * Undefined when there is none. Throws Fault `store`, also when its tables are not up to date: nothing is migrated.
 */
export async function openDatabaseToRead({ url, directory }: DatabaseChoice): Promise<Db | undefined> {
  const named = url !== undefined && url !== "";
  if (!named && !hasEmbedded(directory)) return undefined;
  const db = named ? await openPostgres(url, { readOnly: true }) : await openEmbeddedCopy(directory);
  try {
    await demandMigrated(db);
    return db;
  } catch (error) {
    await db.close().catch(() => undefined);
    throw error;
  }
}

async function bringUpToDate(db: Db): Promise<void> {
  try {
    await demandMigrated(db);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "NotMigrated") throw error;
    await migrate(db).catch((refused: unknown) => {
      throw refused instanceof Fault && refused.code === "NotAllowed" ? error : refused;
    });
  }
}
