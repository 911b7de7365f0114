/** A dry run beside a real store: what it says would happen is what the next real run then does. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findRealStore } from "../../cli/dry-run/real-store.js";
import { startSandbox, type Sandbox } from "../../cli/sandbox/sandbox.js";
import { assemble } from "../../harvester/assemble.js";
import { harvest } from "../../harvester/harvest.js";
import { openPostgres } from "../../harvester/persist/postgres.js";
import { migrate } from "../../harvester/persist/migrate.js";
import { openStore } from "../../harvester/persist/open-store.js";
import type { RunSummary } from "../../harvester/report/summary.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { createDatabase, testPostgres, type TestDatabase } from "../setup/postgres.js";
import { root, sourceOf } from "../run/scene.js";
import { dryRun } from "./dry-run-stage.js";

const server = await testPostgres();

describe.skipIf(server === undefined)("beside PostgreSQL", () => {
  let database: TestDatabase;
  let sandbox: Sandbox;
  let source: HarvestSource;

  beforeAll(async () => {
    database = await createDatabase(server!);
    const db = await openPostgres(database.url);
    await migrate(db);
    await db.close();
  });
  afterAll(async () => {
    await database.drop();
    await server!.stop();
  });
  afterEach(() => sandbox.close());

  async function realRun(): Promise<RunSummary> {
    const store = openStore(await openPostgres(database.url));
    try {
      const run = await assemble({
        source,
        root,
        store,
        observe: () => undefined,
        signal: new AbortController().signal,
        environment: {},
        threads: 1,
      });
      return await harvest(run.run).finally(() => run.close());
    } finally {
      await store.close();
    }
  }

  it("insert, update, delete, skip, refused: first said, then done", async () => {
    const START = Date.parse("2026-01-10T06:00:00Z");
    let now = START;
    sandbox = await startSandbox({
      source: { kind: "generated", count: 30, faulty: 2, faultNames: ["missing-title"] },
      pageSize: 10,
      clock: () => now,
    });
    source = sourceOf(sandbox.url, { delta: { overlapSeconds: 60 } }, "county");
    expect(await realRun()).toMatchObject({ counts: { read: 30, inserted: 28, quarantined: 2 } });
    now += 3_600_000;
    const { control } = sandbox;
    const healthy = Array.from({ length: 30 }, (_, i) => i).filter((i) => !isFaulty(i));
    function isFaulty(index: number): boolean {
      return faulty.has(control.identifierOf(index));
    }
    const [a, b, c, d] = healthy as [number, number, number, number];
    control.change(a);
    control.change(b);
    control.touch(c);
    control.delete(d);
    control.add();
    control.add();
    control.add({ fault: "missing-title" });
    const { store } = await findRealStore({ url: database.url, directory: "/nowhere" });
    const [said] = await dryRun([source], { store });
    const [whole] = await dryRun([source], { store, full: true });
    const [blind] = await dryRun([source]);
    await store!.close();
    expect(said!.tried).toMatchObject({
      verdict: "ok",
      besideStore: true,
      counts: { read: 7, valid: 6, refused: 1, insert: 2, update: 2, delete: 1, skip: 1 },
      lastRun: { outcome: "complete", read: 30, refused: 2, requests: 4 },
    });
    // From the beginning: the two quarantined before are judged as refused still, the rest is skipped.
    expect(whole!.tried.counts).toMatchObject({
      read: 33,
      valid: 30,
      refused: 3,
      insert: 2,
      update: 2,
      delete: 1,
      skip: 25,
    });
    expect(blind!.tried).toMatchObject({ besideStore: false, counts: { insert: 29, update: 0, delete: 0 } });
    expect(await realRun()).toMatchObject({
      counts: { read: 7, inserted: 2, updated: 2, withdrawn: 1, unchanged: 1, quarantined: 1 },
    });
  });

  /** Which of the generated records are faulty: read off a throwaway sandbox once, by what it serves. */
  const faulty = new Set<string>();
  beforeAll(async () => {
    const probe = await startSandbox({
      source: { kind: "generated", count: 30, faulty: 2, faultNames: ["missing-title"] },
    });
    const text = await (await fetch(`${probe.url}?verb=ListRecords&metadataPrefix=oai_dc`)).text();
    for (const record of text.split("<record>").slice(1))
      if (!/<dc:title>[^<]/.test(record)) faulty.add(/<identifier>([^<]+)</.exec(record)?.[1] ?? "");
    await probe.close();
    expect(faulty.size).toBe(2);
  });
});
