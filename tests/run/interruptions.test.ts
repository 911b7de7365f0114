/** What comes in the middle of a run: signals, a second run, a database that goes away. Nothing is lost, and the next run goes on. */
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../harvester/open-database.js";
import type { Db } from "../../harvester/persist/db.js";
import { openStore } from "../../harvester/persist/open-store.js";
import { freshEmbeddedStore } from "../setup/embedded.js";
import { administer } from "../setup/postgres.js";
import { noPostgres, premises } from "./premises.js";
import { harvestctl, workplace } from "./program.js";
import { closeGates, openScene } from "./scene.js";

const COUNT = 600;
const PAGE = 20;

describe.skipIf(noPostgres)("in the middle of a run", () => {
  const here = premises({ source: { kind: "generated", count: COUNT }, pageSize: PAGE });
  afterEach(() => {
    here.sandbox.control.clearRequests();
  });

  function command(name: string): readonly string[] {
    return ["run", "--source", here.place.manifest(here.sandbox.url, {}, name), "--threads", "1"];
  }

  async function requests(count: number): Promise<void> {
    while (here.sandbox.control.requests().count < count) await wait(5);
  }

  async function stored(name: string): Promise<{ records: number; watermark: string | null }> {
    const [row] = await here.query<{ records: number; watermark: string | null }>(
      `SELECT (SELECT count(*)::int FROM record WHERE source_id = s.id) AS records,
         (SELECT watermark FROM cursor WHERE source_id = s.id) AS watermark FROM source s WHERE name = $1`,
      [name],
    );
    return row ?? { records: 0, watermark: null };
  }

  it.each(["SIGINT", "SIGTERM"] as const)(
    "%s: the batch is finished, the output says where it stands, exit 75, and the next run goes on",
    async (signal) => {
      const name = signal.toLowerCase();
      const { child, finished } = here.start(command(name));
      await requests(8);
      child.kill(signal);
      const { code, stdout } = await finished;
      expect(code).toBe(75);
      expect(stdout).toMatch(new RegExp(`^${name}: INTERRUPTED after [\\d,]+ records, no watermark yet`));
      expect(stdout).toContain(`The run was stopped by ${signal} at a batch boundary. (Interrupted)`);
      expect(stdout).toContain("Run again: it goes on where it stopped.");
      const before = await stored(name);
      expect(before.records).toBeGreaterThan(0);
      expect(before.records).toBeLessThan(COUNT);
      expect(before.records % PAGE).toBe(0);
      expect(before.watermark).toBeNull();
      here.sandbox.control.clearRequests();
      const next = await here.run(command(name));
      expect(next.code).toBe(0);
      // Identify, then only the pages that were missing.
      expect(here.sandbox.control.requests().count).toBe(1 + (COUNT - before.records) / PAGE);
      expect(await stored(name)).toEqual({ records: COUNT, watermark: expect.anything() as string });
    },
  );

  it("C130 a second run of the same source ends with 75 and names the first, which is not disturbed", async () => {
    // One page comes slowly, so that the first run is still there when the second begins.
    here.sandbox.control.arm({ kind: "slow-drip", verb: "ListRecords", page: 4, bytes: 150, pauseMs: 100 });
    const first = here.start(command("twice"));
    await requests(5);
    const second = await here.run(command("twice"));
    expect(second.code).toBe(75);
    expect(second.stdout).toContain("The source twice is being harvested by run ");
    expect((await first.finished).code).toBe(0);
    expect((await stored("twice")).records).toBe(COUNT);
  });

  it("a database that goes away ends the run with 74; what was committed stays, and the next run goes on", async () => {
    const name = new URL(here.database.url).pathname.slice(1);
    const { child, finished } = here.start(command("cut"));
    await requests(8);
    await administer(here.server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    while (child.exitCode === null) {
      await administer(
        here.server,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
      await wait(20);
    }
    const { code, stdout } = await finished;
    expect(code).toBe(74);
    expect(stdout).toMatch(/^cut: INCOMPLETE after [\d,]+ records/);
    await administer(here.server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    const before = await stored("cut");
    expect(before.watermark).toBeNull();
    // The run that lost its database could not give its place at the host back; the lease would run out by itself.
    await here.query("UPDATE host_slot SET expires_at = '-infinity'");
    expect((await here.run(command("cut"))).code).toBe(0);
    expect((await stored("cut")).records).toBe(COUNT);
  });
});

describe("an embedded store that another process has open", () => {
  it("ends a run with 75 and a look with 2, and names the process", async () => {
    const store = await freshEmbeddedStore();
    const db = await openDatabase({ directory: store.dir });
    const place = workplace();
    try {
      const manifest = place.manifest("http://127.0.0.1:9/oai");
      const run = await harvestctl(["run", "--source", manifest, "--store", store.dir], place);
      expect(run.code).toBe(75);
      expect(run.stderr).toContain(`The embedded store is in use by process ${String(process.pid)} on `);
      expect(run.stderr).toContain("set DATABASE_URL to a PostgreSQL");
      expect((await harvestctl(["status", "--store", store.dir], place)).code).toBe(2);
    } finally {
      await db.close();
      store.remove();
      place.remove();
    }
  });
});

describe("law 5 on disk: what did not change is not written", () => {
  let store: Awaited<ReturnType<typeof freshEmbeddedStore>>;
  let db: Db;
  beforeAll(async () => {
    store = await freshEmbeddedStore();
    db = await openDatabase({ directory: store.dir });
  });
  afterAll(async () => {
    await closeGates();
    await db.close();
    store.remove();
  });

  function rows(): Promise<readonly unknown[]> {
    return db.query("SELECT identifier, ctid::text, xmin::text, changed_at FROM record ORDER BY identifier");
  }

  it("a quiet run and a full one without changes leave every row where it lay; one change moves one row", async () => {
    const scene = await openScene({ store: openStore(db) });
    try {
      await scene.run();
      const before = await rows();
      expect(before).toHaveLength(30);
      scene.clock.advance(3600);
      expect((await scene.run()).verbs).toEqual(["Identify", "ListRecords"]);
      expect(await rows()).toEqual(before);
      expect(await scene.run({ spec: { delta: { mode: "full" } } })).toMatchObject({
        counts: { read: 30, unchanged: 30 },
      });
      expect(await rows()).toEqual(before);
      scene.control.change(7);
      await scene.run();
      const after = await rows();
      expect(after.filter((row, i) => JSON.stringify(row) !== JSON.stringify(before[i]))).toHaveLength(1);
    } finally {
      await scene.close();
    }
  });
});
