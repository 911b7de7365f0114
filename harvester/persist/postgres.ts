/** The door to a PostgreSQL server: a bounded pool, time limits on everything, no secret in any error. */
import pg from "pg";
import { Fault } from "../fault.js";
import type { Db, Param, Queryable } from "./db.js";
import { storeFault } from "./store-fault.js";
import { instantFromPostgres } from "./instant.js";

export interface PostgresOptions {
  /** Connections this process may hold, default 4. */
  readonly maxConnections?: number;
  /** As seen in pg_stat_activity, default `harvestctl`. */
  readonly applicationName?: string;
  /** A statement may take this long, default 60,000 ms. */
  readonly statementTimeoutMs?: number;
  /** And wait this long for a lock, default 15,000 ms. */
  readonly lockTimeoutMs?: number;
  /** The server refuses every write of this process. */
  readonly readOnly?: boolean;
}

const oldestServer = 140_000;
/** A transaction the database chose as victim is begun anew this often. */
const attempts = 3;
const victimCodes = new Set(["Deadlock", "SerializationFailure"]);
const types = { getTypeParser: typeParser };

/**
 * Opens a pool on a `postgres://` URL and asks the server once, so that a wrong URL shows at the start. TLS is as the URL
 * says (`sslmode`, `sslrootcert`, `sslcert`, `sslkey`). Throws Fault `config` (not a URL) or `store`.
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Db> {
  if (!/^(postgres|postgresql):\/\//i.test(url)) {
    throw new Fault("config", {
      code: "BadDatabaseUrl",
      sentence: "DATABASE_URL is not a PostgreSQL URL.",
      remedy: "Write it as postgres://user@host:5432/database, or unset it to use the embedded store.",
    });
  }
  const target = targetOf(url);
  const db = new PostgresDb(newPool(url, options), target);
  try {
    await demandVersion(db, target);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

function newPool(url: string, options: PostgresOptions): pg.Pool {
  const { maxConnections = 4, statementTimeoutMs = 60_000, lockTimeoutMs = 15_000 } = options;
  // As SET and not as start-up parameters, which connection poolers refuse.
  const session = [
    "SET timezone TO 'UTC'",
    "SET datestyle TO 'ISO'",
    `SET statement_timeout TO ${String(Math.trunc(statementTimeoutMs))}`,
    `SET lock_timeout TO ${String(Math.trunc(lockTimeoutMs))}`,
    "SET idle_in_transaction_session_timeout TO 120000",
    ...(options.readOnly === true ? ["SET default_transaction_read_only TO on"] : []),
  ].join("; ");
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    application_name: options.applicationName ?? "harvestctl",
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    types,
    onConnect: ((client: pg.ClientBase) => client.query(session)) as (client: pg.ClientBase) => void,
  });
  // An idle connection that breaks is replaced by the pool; without a listener the event would end the process.
  pool.on("error", () => undefined);
  return pool;
}

async function demandVersion(db: Db, target: string): Promise<void> {
  const [row] = await db.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  );
  if (row !== undefined && row.version >= oldestServer) return;
  throw new Fault("store", {
    code: "DatabaseTooOld",
    sentence: `The database ${target} is older than PostgreSQL 14.`,
    remedy: "Use PostgreSQL 14 or newer.",
  });
}

class PostgresDb implements Db {
  readonly engine = "postgres";
  readonly #pool: pg.Pool;
  readonly #target: string;

  constructor(pool: pg.Pool, target: string) {
    this.#pool = pool;
    this.#target = target;
  }

  async query<Row extends object>(sql: string, params: readonly Param[] = []): Promise<readonly Row[]> {
    return this.#told(async () => (await this.#pool.query<Row>(sql, [...params])).rows);
  }

  async script(sql: string): Promise<void> {
    await this.#told(() => this.#pool.query(sql));
  }

  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(work);
      } catch (error) {
        const victim = error instanceof Fault && victimCodes.has(error.code);
        if (!victim || attempt === attempts) throw error;
      }
    }
  }

  async settle(): Promise<void> {
    // Autovacuum and the checkpointer do this on a server.
  }

  async close(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end();
  }

  async #attempt<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const client = await this.#told(() => this.#pool.connect());
    // A connection that breaks while it is ours also emits `error`; the pending query rejects with the reason.
    client.on("error", ignore);
    let broken = false;
    try {
      await this.#told(() => client.query("BEGIN"));
      const result = await work({
        query: (sql, params = []) => this.#told(async () => (await client.query(sql, [...params])).rows),
        script: (sql) => this.#told(async () => void (await client.query(sql))),
      });
      await this.#told(() => client.query("COMMIT"));
      return result;
    } catch (error) {
      broken = !(await rollback(client));
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(broken);
    }
  }

  async #told<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw storeFault(error, `The database ${this.#target}`);
    }
  }
}

function ignore(): void {
  // See #attempt.
}

/** False when the connection is of no more use. */
async function rollback(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query("ROLLBACK");
    return true;
  } catch {
    return false;
  }
}

function typeParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
  if (oid === pg.types.builtins.INT8) return Number;
  if (oid === pg.types.builtins.TIMESTAMPTZ) return instantFromPostgres;
  return pg.types.getTypeParser(oid, format as "text") as (value: string) => unknown;
}

/** Host and database of the URL; never user, password or options. */
function targetOf(url: string): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(url);
    const host = searchParams.get("host") ?? (hostname === "" ? "localhost" : decodeURIComponent(hostname));
    return `${host}${port === "" ? "" : `:${port}`}${pathname}`;
  } catch {
    return "of DATABASE_URL";
  }
}
