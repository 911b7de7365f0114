import { afterAll, beforeAll } from "vitest";
import pg from "pg";
import { startSandbox, type Sandbox, type SandboxOptions } from "../../cli/sandbox/sandbox.js";
import { createDatabase, testPostgres, type PostgresServer, type TestDatabase } from "../setup/postgres.js";
import { harvestctl, start, workplace, type Finished, type Running, type Workplace } from "./program.js";

const server = await testPostgres();
export const noPostgres = server === undefined;

/** One folder, one database and one sandbox for the tests of a file that run the program. */
export interface Premises {
  readonly place: Workplace;
  readonly sandbox: Sandbox;
  readonly server: PostgresServer;
  readonly database: TestDatabase;
  /** With DATABASE_URL. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished>;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Running;
  query<Row extends pg.QueryResultRow>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

export function premises(wish: Partial<SandboxOptions> = {}): Premises {
  let made: { place: Workplace; sandbox: Sandbox; database: TestDatabase; pool: pg.Pool } | undefined;
  function held(): NonNullable<typeof made> {
    if (made === undefined || server === undefined) throw new Error("Only inside a test.");
    return made;
  }
  beforeAll(async () => {
    if (server === undefined) return;
    const sandbox = await startSandbox({ source: { kind: "generated", count: 30 }, pageSize: 10, ...wish });
    const database = await createDatabase(server);
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    pool.on("error", () => undefined);
    made = { place: workplace(), sandbox, database, pool };
  });
  afterAll(async () => {
    if (made === undefined) return;
    await made.sandbox.close();
    await made.pool.end();
    await made.database.drop();
    made.place.remove();
    await server?.stop();
  });
  function options(env?: Readonly<Record<string, string>>) {
    const { place, database } = held();
    return { cwd: place.cwd, env: { DATABASE_URL: database.url, ...env } };
  }
  return {
    get place() {
      return held().place;
    },
    get sandbox() {
      return held().sandbox;
    },
    get database() {
      return held().database;
    },
    get server() {
      return server as PostgresServer;
    },
    run: (args, env) => harvestctl(args, options(env)),
    start: (args, env) => start(args, options(env)),
    async query<Row extends pg.QueryResultRow>(sql: string, params: readonly unknown[] = []) {
      return (await held().pool.query<Row>(sql, [...params])).rows;
    },
  };
}
