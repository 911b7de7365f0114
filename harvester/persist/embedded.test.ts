import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshEmbeddedStore } from "../../tests/setup/embedded.js";
import { runEnd, runStart } from "../../tests/store/samples.js";
import { openEmbedded } from "./embedded.js";
import { migrate } from "./migrate.js";
import { openStore } from "./open-store.js";
import { processHolder, thisProcess } from "./process-identity.js";

describe("the embedded store", () => {
  let dir: string;
  let remove: () => void;

  beforeAll(async () => {
    ({ dir, remove } = await freshEmbeddedStore());
  });
  afterAll(() => {
    remove();
  });

  it("gives the values of the Db interface", async () => {
    const db = await openEmbedded(dir);
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
    await db.close();
  });

  it("is refused to a second opener, naming the process that has it", async () => {
    const db = await openEmbedded(dir);
    const pid = String(process.pid);
    await expect(openEmbedded(dir)).rejects.toMatchObject({
      kind: "busy",
      code: "StoreLocked",
      message: expect.stringContaining(`process ${pid} on`) as string,
    });
    // Refusing must not have freed it.
    await expect(openEmbedded(dir)).rejects.toMatchObject({ kind: "busy" });
    await db.close();
    await (await openEmbedded(dir)).close();
    expect(readdirSync(dir).sort()).toEqual([".gitignore", "store"]);
  });

  it("is refused when another machine has it, with the way out", async () => {
    const lock = join(dir, "lock");
    writeFileSync(
      lock,
      JSON.stringify({ host: "elsewhere", pid: 1, start: "", since: "2026-11-30T00:00:00Z", nonce: "n" }),
    );
    await expect(openEmbedded(dir)).rejects.toMatchObject({
      code: "StoreLocked",
      detail: { remedy: expect.stringContaining(`delete ${lock}`) as string },
    });
    rmSync(lock);
  });

  it.each([
    { name: "of a process that has ended", note: () => ({ ...thisProcess(), pid: deadPid() }) },
    {
      name: "of a process that had the same pid",
      note: () => ({ ...thisProcess(), start: thisProcess().start.replace(/^\d+/, "1") }),
    },
    { name: "cut off while it was written", note: () => undefined },
  ])("takes over a lock $name", async ({ note }) => {
    const held = note();
    writeFileSync(
      join(dir, "lock"),
      held === undefined ? "" : JSON.stringify({ ...held, since: "", nonce: "n" }),
    );
    const db = await openEmbedded(dir);
    expect(readFileSync(join(dir, "lock"), "utf8")).toContain(`"pid":${String(process.pid)}`);
    await db.close();
  });

  it("of another version is refused with a remedy, and left alone", async () => {
    const stamp = join(dir, "store", "store.json");
    const before = readFileSync(stamp, "utf8");
    expect(JSON.parse(before)).toEqual({ format: 1, pglite: "0.5.14", postgresMajor: 18 });
    writeFileSync(stamp, before.replace("0.5.14", "0.3.16").replace("18", "17"));
    await expect(openEmbedded(dir)).rejects.toMatchObject({
      kind: "store",
      code: "StoreVersion",
      message: `The embedded store ${join(dir, "store")} was made by PGlite 0.3.16 (PostgreSQL 17); this harvestctl has PGlite 0.5.14 and cannot read it safely.`,
    });
    writeFileSync(stamp, "{");
    await expect(openEmbedded(dir)).rejects.toThrow("has no readable store.json");
    writeFileSync(stamp, before);
    await (await openEmbedded(dir)).close();
  });

  it("a directory that cannot be written says so", async () => {
    const file = join(dir, "file");
    writeFileSync(file, "");
    await expect(openEmbedded(join(file, "store"))).rejects.toMatchObject({
      message: expect.stringContaining(`The embedded store ${file}`) as string,
    });
  });

  it("rolls back what fails and goes on", async () => {
    const db = await openEmbedded(dir);
    await db.script("CREATE TABLE t (a int)");
    await expect(
      db.transaction(async (tx) => {
        await tx.query("INSERT INTO t VALUES (1)");
        await tx.query("SELECT 1/0");
      }),
    ).rejects.toMatchObject({ kind: "bug", code: "Sql22012" });
    expect(await db.query("SELECT count(*)::int AS n FROM t")).toEqual([{ n: 0 }]);
    await db.close();
  });

  it("C129 the hold of a process that was killed is taken at once, whatever it called itself", async () => {
    const before = await openEmbedded(dir);
    await migrate(before);
    await openStore(before).begin(runStart({ holder: "pod-uid-killed" }));
    await before.close();
    const db = await openEmbedded(dir);
    const run = await openStore(db).begin(runStart({ runId: "run-2", holder: "pod-uid-next" }));
    await run.finish(runEnd());
    await db.close();
  });

  it("lets timers run between the statements of a transaction", async () => {
    const db = await openEmbedded(dir);
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    await db.transaction(async (tx) => {
      for (let n = 0; n < 20; n += 1) await tx.query("SELECT count(*) FROM generate_series(1, 20000)");
    });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
    await db.close();
  });
});

describe("the first start", () => {
  it("survives being killed: what is half made is made anew", { timeout: 300_000 }, async () => {
    const dir = mkdtempSync(join(tmpdir(), "first-"));
    const open = `import(${JSON.stringify(new URL("./embedded.ts", import.meta.url).href)}).then((m) => m.openEmbedded(${JSON.stringify(dir)}))`;
    const child = spawn(process.execPath, ["--import", "tsx", "-e", open], { stdio: "ignore" });
    const ended = new Promise((resolve) => child.on("close", resolve));
    while (!existsSync(join(dir, "store.tmp", "pgdata", "base")))
      await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill("SIGKILL");
    await ended;
    expect(existsSync(join(dir, "store"))).toBe(false);
    const db = await openEmbedded(dir);
    expect(await db.query("SELECT current_setting('max_wal_size') AS wal")).toEqual([{ wal: "128MB" }]);
    await db.close();
    expect(readdirSync(dir).sort()).toEqual([".gitignore", "store"]);
    rmSync(dir, { recursive: true });
  });
});

describe("who a process is", () => {
  it("host, pid and start", () => {
    expect(processHolder()).toMatch(/^[^/]+\/\d+\/.*$/);
  });
});

/** The pid of a process that lived and ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}
