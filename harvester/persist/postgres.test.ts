import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batch, change, key, runStart } from "../../tests/store/samples.js";
import { administer, createDatabase, testPostgres, type TestDatabase } from "../../tests/setup/postgres.js";
import type { Db } from "./db.js";
import { createSharedLimiter } from "./limiter.js";
import { migrate } from "./migrate.js";
import { openStore } from "./open-store.js";
import { openPostgres } from "./postgres.js";

const server = await testPostgres();

describe("a PostgreSQL that cannot be opened", () => {
  it.each(["mysql://u:s3cret@h/d", "not a url", "/var/run/postgresql"])("is not a URL: %s", async (url) => {
    const error = await failure(openPostgres(url));
    expect(error).toMatchObject({ kind: "config", code: "BadDatabaseUrl" });
    expect(JSON.stringify(error)).not.toContain("s3cret");
  });

  it("says that nothing listens, where, and no secret", async () => {
    const port = await closedPort();
    const error = await failure(
      openPostgres(`postgres://me:s3cret@127.0.0.1:${String(port)}/harvest?application_name=x`),
    );
    expect(error).toMatchObject({
      kind: "store",
      code: "DatabaseDown",
      message: `The database 127.0.0.1:${String(port)}/harvest: nothing listens there (connect ECONNREFUSED 127.0.0.1:${String(port)}).`,
    });
    expect(JSON.stringify(error)).not.toContain("s3cret");
  });

  it("says that the host name is unknown", async () => {
    expect(await failure(openPostgres("postgres://nowhere.invalid/harvest"))).toMatchObject({
      kind: "store",
      code: "DatabaseUnknown",
    });
  });

  it("says that the far side is no PostgreSQL, or gone", async () => {
    const listener = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const { port } = listener.address() as AddressInfo;
    expect(await failure(openPostgres(`postgres://127.0.0.1:${String(port)}/d`))).toMatchObject({
      kind: "store",
    });
    listener.close();
  });

  it.skipIf(server === undefined)("says that the database does not exist", async () => {
    const url = new URL(server!.url);
    url.pathname = "/no_such";
    expect(await failure(openPostgres(url.href))).toMatchObject({ kind: "store", code: "NoSuchDatabase" });
  });
});

describe.skipIf(server === undefined)("a PostgreSQL", () => {
  let database: TestDatabase;
  let db: Db;

  beforeAll(async () => {
    database = await createDatabase(server!);
    db = await openPostgres(database.url, {
      maxConnections: 2,
      statementTimeoutMs: 2000,
      lockTimeoutMs: 300,
    });
    await migrate(db);
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
    await server?.stop();
  });

  it("gives the values of the Db interface", async () => {
    const [row] = await db.query(
      "SELECT 5::bigint AS n, '2026-11-30 00:00:19.9+01'::timestamptz AS t, $1::bytea AS b, '{\"a\":[1]}'::jsonb AS j, '{x,y}'::text[] AS a, NULL AS nothing",
      [Buffer.from([0, 255])],
    );
    expect(row).toEqual({
      n: 5,
      t: "2026-11-29T23:00:19Z",
      b: Buffer.from([0, 255]),
      j: { a: [1] },
      a: ["x", "y"],
      nothing: null,
    });
  });

  it("is known by name, bounded in connections and in time", async () => {
    const all = await Promise.all(
      [1, 2, 3, 4, 5].map(() =>
        db.query<{ pid: number; name: string }>(
          "SELECT pg_backend_pid() AS pid, current_setting('application_name') AS name, pg_sleep(0.05)",
        ),
      ),
    );
    expect(new Set(all.map(([row]) => row?.pid)).size).toBeLessThanOrEqual(2);
    expect(all[0]?.[0]?.name).toBe("harvestctl");
    expect(await failure(db.query("SELECT pg_sleep(10)"))).toMatchObject({
      kind: "store",
      code: "StatementTimeout",
    });
  });

  it("gives up waiting for a lock", async () => {
    await db.script("CREATE TABLE locked (a int)");
    await db.transaction(async (tx) => {
      await tx.query("LOCK TABLE locked");
      expect(await failure(db.query("SELECT * FROM locked"))).toMatchObject({
        kind: "store",
        code: "LockTimeout",
      });
    });
  });

  it("a connection cut inside a commit is Fault store, leaves nothing, and the next works", async () => {
    const store = openStore(db);
    const run = await store.begin(runStart({ source: "cut" }));
    await run.commit(batch({ changes: [change("r1", "A")], cursor: { watermark: "2026-11-01T00:00:00Z" } }));
    const cut = db.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      await tx.query("UPDATE record SET about = '[1]'");
      await administer(server!, `SELECT pg_terminate_backend(${String(row?.pid)})`);
      await tx.query("SELECT 1");
    });
    expect(await failure(cut)).toMatchObject({ kind: "store" });
    expect(await db.query("SELECT about FROM record")).toEqual([{ about: [] }]);
    expect(await run.commit(batch({ changes: [change("r1", "B")] }))).toMatchObject({ updated: 1 });
    expect(await run.loadCursor(key)).toEqual({ watermark: "2026-11-01T00:00:00Z" });
  });

  it("the victim of a deadlock is begun anew", async () => {
    await db.script(
      "CREATE TABLE d (a int PRIMARY KEY, n int NOT NULL); INSERT INTO d VALUES (1, 0), (2, 0)",
    );
    // Waits must outlast deadlock_timeout (1 s), so these two have no lock timeout.
    const other = await openPostgres(database.url, { lockTimeoutMs: 0 });
    let met = 0;
    const bothHold = new Promise<void>((resolve) => {
      setInterval(() => {
        if (met >= 2) resolve();
      }, 5).unref();
    });
    function crossing(first: number, second: number): Promise<void> {
      return other.transaction(async (tx) => {
        await tx.query("UPDATE d SET n = n + 1 WHERE a = $1::int", [first]);
        met += 1;
        await bothHold;
        await tx.query("UPDATE d SET n = n + 1 WHERE a = $1::int", [second]);
      });
    }
    await Promise.all([crossing(1, 2), crossing(2, 1)]);
    expect(await other.query("SELECT a, n FROM d ORDER BY a")).toEqual([
      { a: 1, n: 2 },
      { a: 2, n: 2 },
    ]);
    await other.close();
  });

  it("slots of a host hold over processes, and a dead one's are free after their time", async () => {
    const { signal } = new AbortController();
    const doors = await Promise.all([openPostgres(database.url), openPostgres(database.url)]);
    const [one, two] = doors.map(createSharedLimiter);
    const releases = [await one!.acquireSlot("h", 2, signal), await two!.acquireSlot("h", 2, signal)];
    const stop = AbortSignal.timeout(300);
    await expect(one!.acquireSlot("h", 2, stop)).rejects.toThrow();
    // A ceiling of 1 means slot 1 alone, and that one is taken.
    expect(await db.query("SELECT slot, expires_at > now() AS held FROM host_slot ORDER BY slot")).toEqual([
      { slot: 1, held: true },
      { slot: 2, held: true },
    ]);
    // What the process of `two` held runs out, as if it had been killed.
    await db.script("UPDATE host_slot SET expires_at = now() - interval '1 s' WHERE slot = 1");
    const third = await one!.acquireSlot("h", 2, signal);
    await third();
    // Given back, a slot is used again by the same process without a statement; close() gives it to the others.
    await releases[0]!();
    await one!.close();
    expect(await db.query("SELECT count(*)::int AS held FROM host_slot WHERE expires_at > now()")).toEqual([
      { held: 0 },
    ]);
    await releases[1]!();
    await two!.close();
    await Promise.all(doors.map((door) => door.close()));
  });

  it("the rate of a host holds over processes", async () => {
    const doors = await Promise.all([openPostgres(database.url), openPostgres(database.url)]);
    const waits = await Promise.all(
      [0, 1, 0, 1].map((i) => createSharedLimiter(doors[i]!).reserve("slow", 0.001)),
    );
    expect(waits.map((ms) => Math.round(ms / 1_000_000)).sort()).toEqual([0, 1, 2, 3]);
    await Promise.all(doors.map((door) => door.close()));
  });
});

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "did not fail",
    (error: unknown) => error,
  );
}

async function closedPort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
