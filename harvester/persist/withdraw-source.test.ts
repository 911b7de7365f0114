import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databases, type OpenEngine } from "../../tests/store/engines.js";
import { batch, change, key, refusal, runEnd, runStart } from "../../tests/store/samples.js";
import type { Db } from "./db.js";
import { listRecords, listSources } from "./reading.js";
import type { Store } from "./store.js";
import { withdrawSource, type Withdrawn } from "./withdraw-source.js";

const watermark = "2026-11-01T00:00:00Z";

for (const engine of databases) {
  describe.skipIf(engine.missing)(`withdrawSource on ${engine.name}`, () => {
    let opened: OpenEngine;
    let db: Db;
    let store: Store;
    let runs = 0;

    beforeAll(async () => {
      opened = await engine.open();
      db = opened.db!;
    });
    afterAll(() => opened.close());
    beforeEach(async () => {
      store = await opened.freshStore();
    });

    function start(source: string): ReturnType<typeof runStart> {
      runs += 1;
      return runStart({ source, runId: `run-${String(runs)}` });
    }

    /** A source with so many records, a refused one that was never stored, and a watermark. */
    async function harvested(source: string, records: number): Promise<void> {
      const run = await store.begin(start(source));
      const changes = Array.from({ length: records }, (_, i) =>
        change(`r${String(i).padStart(5, "0")}`, `content ${String(i)}`),
      );
      await run.commit(batch({ changes, refusals: [refusal("refused")], cursor: { watermark } }));
      await run.finish(runEnd());
    }

    function withdraw(source: string, signal = new AbortController().signal): Promise<Withdrawn> {
      const now = () => new Date("2026-11-30T00:00:00Z");
      return withdrawSource({ db, store, start: start(source), signal, now });
    }

    async function standing(source: string): Promise<unknown> {
      const [row] = await listSources(db, source);
      return row && [row.alive, row.withdrawn, row.quarantined, row.watermark];
    }

    it("withdraws records, closes quarantine, forgets the cursor; says why; again is nothing", async () => {
      await harvested("county", 2100);
      expect(await withdraw("county")).toEqual({
        withdrawn: 2100,
        remaining: { records: 0, quarantined: 0 },
      });
      expect(await standing("county")).toEqual([0, 2100, 0, null]);
      const [first] = await listRecords(db, { source: "county", withDeleted: true, limit: 1 });
      expect(first).toMatchObject({ identifier: "r00000", deleted: true, deletedReason: "source-removed" });
      expect(await withdraw("county")).toEqual({ withdrawn: 0, remaining: { records: 0, quarantined: 0 } });
    });

    it("touches no other source, also one of the same name in another namespace", async () => {
      for (const source of ["a/county", "b/county", "county"]) await harvested(source, 3);
      await withdraw("a/county");
      expect(await standing("a/county")).toEqual([0, 3, 0, null]);
      expect(await standing("b/county")).toEqual([3, 0, 1, watermark]);
      expect(await standing("county")).toEqual([3, 0, 1, watermark]);
    });

    it("leaves no trace of a source that was never harvested", async () => {
      expect(await withdraw("never")).toEqual({ withdrawn: 0, remaining: { records: 0, quarantined: 0 } });
      expect(await listSources(db)).toEqual([]);
    });

    it("stopped between two batches keeps what it did and the cursor, and goes on", async () => {
      await harvested("county", 1500);
      const stop = new AbortController();
      const first = await withdrawSource({
        db,
        store,
        start: start("county"),
        signal: stop.signal,
        onProgress: () => {
          stop.abort();
        },
        now: () => new Date("2026-11-30T00:00:00Z"),
      });
      expect(first).toEqual({ withdrawn: 1000, remaining: { records: 500, quarantined: 1 } });
      expect(await standing("county")).toEqual([500, 1000, 1, watermark]);
      expect(await withdraw("county")).toEqual({ withdrawn: 500, remaining: { records: 0, quarantined: 0 } });
      expect(await standing("county")).toEqual([0, 1500, 0, null]);
    });

    it("a run that holds the source is not disturbed", async () => {
      await harvested("county", 2);
      const run = await store.begin(start("county"));
      await expect(withdraw("county")).rejects.toMatchObject({ kind: "busy", code: "SourceHeld" });
      expect(await run.countAlive()).toBe(2);
      await run.finish(runEnd());
    });

    it("a source of the name that comes back is read from the beginning, and its records live again", async () => {
      await harvested("county", 2);
      await withdraw("county");
      const run = await store.begin(start("county"));
      expect(await run.loadCursor(key)).toEqual({});
      const { updated } = await run.commit(
        batch({ changes: [change("r00000", "content 0", { action: "update" })] }),
      );
      expect({ updated, totals: await run.totals() }).toEqual({
        updated: 1,
        totals: { records: 1, quarantined: 0 },
      });
      await run.finish(runEnd());
    });

    it("a cursor that stands for living records cannot be deleted, whoever asks", async () => {
      await harvested("county", 1);
      await expect(db.query("DELETE FROM cursor")).rejects.toThrow("stands for living records");
    });
  });
}
