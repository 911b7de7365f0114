/**
 * The embedded store without touching it: its files are read into memory and the engine runs on that copy, because
 * PGlite writes into the folder it opens (log, checkpoint, lock) even when it is only asked.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { Fault } from "../fault.js";
import type { Db } from "./db.js";
import { EmbeddedDb, startEngine } from "./embedded.js";
import { lockHolder } from "./embedded-lock.js";
import { demandStamp } from "./embedded-stamp.js";
import { tarOf, type TarEntry } from "./tar.js";

/** All of it is in memory twice for a moment. */
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * Throws Fault `busy` when another process has the store open (a copy would be torn), Fault `store` when it was made by
 * another version, is too large, or cannot be read.
 */
export async function openEmbeddedCopy(dir: string): Promise<Db> {
  demandUnlocked(dir);
  const home = join(dir, "store");
  demandStamp(home);
  try {
    const tar = tarOf(filesOf(join(home, "pgdata")));
    demandUnlocked(dir);
    const engine = await startEngine({ loadDataDir: new Blob([tar]) });
    return new EmbeddedDb(engine, { lock: noLock, where: `The embedded store ${dir}` });
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw unreadable(dir, error instanceof Error ? error.message : String(error));
  }
}

/** Is there a store in this folder? */
export function hasEmbedded(dir: string): boolean {
  return statSync(join(dir, "store", "pgdata"), { throwIfNoEntry: false })?.isDirectory() === true;
}

const noLock = { check: nothing, release: nothing };

function nothing(): void {
  // The copy is nobody else's.
}

function demandUnlocked(dir: string): void {
  const held = lockHolder(join(dir, "lock"));
  if (held !== undefined) throw held;
}

function filesOf(pgdata: string): readonly TarEntry[] {
  let left = MOST_BYTES;
  return readdirSync(pgdata, { recursive: true, withFileTypes: true }).flatMap((entry): TarEntry[] => {
    const full = join(entry.parentPath, entry.name);
    const path = relative(pgdata, full).split(sep).join("/");
    if (entry.isDirectory()) return [{ path, bytes: undefined }];
    if (!entry.isFile()) return [];
    left -= statSync(full).size;
    if (left < 0) throw tooLarge(pgdata);
    return [{ path, bytes: readFileSync(full) }];
  });
}

function tooLarge(pgdata: string): Fault {
  return new Fault("store", {
    code: "StoreTooLarge",
    sentence: `The embedded store ${pgdata} is larger than ${String(MOST_BYTES / 1024 / 1024)} MB, too much for a copy in memory.`,
    remedy: "Use a PostgreSQL (DATABASE_URL), which can be read beside anything.",
  });
}

function unreadable(dir: string, why: string): Fault {
  return new Fault("store", {
    code: "StoreUnreadable",
    sentence: `The embedded store ${dir} cannot be looked at (${why}).`,
    remedy: "Use a PostgreSQL (DATABASE_URL), which can be read beside anything.",
  });
}
