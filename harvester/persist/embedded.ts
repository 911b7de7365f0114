/**
 * The door to the embedded database: PGlite (PostgreSQL compiled to WebAssembly), in this process, in a directory. The
 * zero-setup default of one machine; docs/store.md says what it does not do (no fsync, one process, no timeouts).
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { PGlite, types, type Transaction } from "@electric-sql/pglite";
import { Fault } from "../fault.js";
import type { Db, Param, Queryable, Written } from "./db.js";
import { lockStore, type StoreLock } from "./embedded-lock.js";
import { demandStamp, writeStamp } from "./embedded-stamp.js";
import { instantFromPostgres } from "./instant.js";
import { storeFault } from "./store-fault.js";

/** PGlite's log grows until a CHECKPOINT: nothing runs in the background. */
const checkpointBytes = 64 * 1024 * 1024;
const byteaArrayOid = 1001;
const textArrayOid = 1009;

/** Buffers go in as they are: as binary values, instead of PGlite's own slow hexadecimal. */
const serializers = { [types.BYTEA]: same, [byteaArrayOid]: same, [textArrayOid]: same };
const parsers = {
  [types.BYTEA]: (text: string) => Buffer.from(text.slice(2), "hex"),
  [types.TIMESTAMPTZ]: instantFromPostgres,
  [types.INT8]: Number,
};

/**
 * Opens, or makes at the first start (about 7 s), the store in `dir`. Throws Fault `busy` when another process has it
 * open, Fault `store` when it was made by another version or cannot be read.
 */
export async function openEmbedded(dir: string): Promise<Db> {
  const where = `The embedded store ${dir}`;
  const lock = await lockDirectory(dir, where);
  try {
    const home = join(dir, "store");
    await prepare(dir, home);
    const engine = await startEngine({ dataDir: join(home, "pgdata") });
    lock.check();
    return new EmbeddedDb(engine, { lock, where });
  } catch (error) {
    lock.release();
    throw error instanceof Fault ? error : cannotOpen(error, dir);
  }
}

async function lockDirectory(dir: string, where: string): Promise<StoreLock> {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const ignore = join(dir, ".gitignore");
    if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
    return await lockStore(join(dir, "lock"));
  } catch (error) {
    throw storeFault(error, where);
  }
}

/** Made beside its place and renamed when whole, so that a kill during the first start leaves nothing half-made. */
async function prepare(dir: string, home: string): Promise<void> {
  if (existsSync(home)) {
    demandStamp(home);
    return;
  }
  const making = join(dir, "store.tmp");
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true, mode: 0o700 });
  try {
    const engine = await PGlite.create({ dataDir: join(making, "pgdata") });
    // Counts from the next start: keeps pg_wal small once checkpoints trim it.
    await engine.exec("ALTER SYSTEM SET max_wal_size TO '128MB'");
    await engine.close();
    writeStamp(making);
    renameSync(making, home);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** From a folder, or from a copy of one in memory. */
export async function startEngine(from: { dataDir: string } | { loadDataDir: Blob }): Promise<PGlite> {
  const engine = await PGlite.create({ ...from, parsers, serializers });
  await engine.exec("SET timezone TO 'UTC'");
  await engine.exec("SET datestyle TO 'ISO'");
  return engine;
}

function cannotOpen(error: unknown, dir: string): Fault {
  return new Fault("store", {
    code: "StoreUnreadable",
    sentence: `The embedded store ${dir} cannot be opened (${error instanceof Error ? error.message : String(error)}).`,
    remedy: `Check that the disk is not full and that ${dir} is writable; else move it away: the next run harvests everything anew.`,
    cause: error,
  });
}

export class EmbeddedDb implements Db {
  readonly engine = "embedded";
  readonly #pglite: PGlite;
  readonly #with: { readonly lock: StoreLock; readonly where: string };
  #bytes = 0;
  #rows = 0;
  #analyseAt = 500;

  constructor(pglite: PGlite, parts: { readonly lock: StoreLock; readonly where: string }) {
    this.#pglite = pglite;
    this.#with = parts;
  }

  query<Row extends object>(sql: string, params: readonly Param[] = []): Promise<readonly Row[]> {
    return this.#told(() => ask<Row>(this.#pglite, sql, params));
  }

  async script(sql: string): Promise<void> {
    await this.#told(() => this.#pglite.exec(sql));
  }

  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#told(() =>
      this.#pglite.transaction((tx) =>
        work({
          query: (sql, params = []) => this.#told(() => ask(tx, sql, params)),
          script: (sql) => this.#told(async () => void (await tx.exec(sql))),
        }),
      ),
    );
  }

  async settle(written: Written): Promise<void> {
    this.#bytes += written.bytes;
    this.#rows += written.rows;
    if (this.#rows >= this.#analyseAt) {
      this.#analyseAt = this.#rows * 2;
      await this.script("ANALYZE");
    }
    if (this.#bytes >= checkpointBytes) {
      this.#bytes = 0;
      await this.script("CHECKPOINT");
    }
  }

  async close(): Promise<void> {
    if (this.#pglite.closed) return;
    try {
      await this.#tidy();
      await this.#told(() => this.#pglite.close());
    } finally {
      this.#with.lock.release();
    }
  }

  /** Makes the next start quick. What is committed stays so without it, so a full disk does not spoil the end. */
  async #tidy(): Promise<void> {
    try {
      if (this.#rows > 0) await this.#pglite.exec("ANALYZE");
      await this.#pglite.exec("CHECKPOINT");
    } catch {
      // The next start replays the log instead.
    }
  }

  async #told<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw storeFault(error, this.#with.where);
    }
  }
}

/** Queries run on this thread without a pause: let timers and sockets have their turn before each. */
async function ask<Row>(
  on: PGlite | Transaction,
  sql: string,
  params: readonly Param[],
): Promise<readonly Row[]> {
  await breathe();
  return (await on.query<Row>(sql, [...params])).rows;
}

function same<T>(value: T): T {
  return value;
}
