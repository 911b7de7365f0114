import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { engines, type OpenEngine } from "../../tests/store/engines.js";
import { batch, change, hex, key, refusal, runEnd, runStart, sha } from "../../tests/store/samples.js";
import type { RecordChange, RunStore, Store } from "./store.js";

const day1 = "2026-11-01T00:00:00Z";
const day2 = "2026-11-02T00:00:00Z";
const day3 = "2026-11-03T00:00:00Z";

const nothing = { inserted: 0, updated: 0, withdrawn: 0, quarantined: 0, stale: 0, healed: 0 };

for (const engine of engines) {
  describe.skipIf(engine.missing)(`store on ${engine.name}`, () => {
    let opened: OpenEngine;
    let store: Store;
    let run: RunStore;

    beforeAll(async () => {
      opened = await engine.open();
    });
    afterAll(() => opened.close());
    beforeEach(async () => {
      store = await opened.freshStore();
      run = await store.begin(runStart());
    });
    afterEach(() => run.finish(runEnd()).catch(() => undefined));

    it("C94 an identifier twice in a batch is written once: highest sequence, then last", async () => {
      const changes = [
        change("r1", "A", { sequence: 2 }),
        change("r1", "B", { sequence: 1 }),
        change("r2", "C"),
        change("r2", "D"),
      ];
      expect(await run.commit(batch({ changes }))).toEqual({ ...nothing, inserted: 2 });
      const states = await run.loadStates(["r1", "r2"]);
      expect([hex(states.get("r1")!.checksum), hex(states.get("r2")!.checksum)]).toEqual([
        hex(sha("A")),
        hex(sha("D")),
      ]);
    });

    it("totals: living records and open quarantine entries of this source alone", async () => {
      expect(await run.totals()).toEqual({ records: 0, quarantined: 0 });
      const changes = [change("r1", "A"), change("r2", "B"), change("r3", "C")];
      await run.commit(batch({ changes, refusals: [refusal("r4"), refusal("r5")] }));
      await run.commit(
        batch({ withdrawals: [{ identifier: "r1", set: "", reason: "tombstone" }], healed: ["r4"] }),
      );
      expect(await run.totals()).toEqual({ records: 2, quarantined: 1 });
      const other = await store.begin(runStart({ source: "harbor", runId: "run-2" }));
      expect(await other.totals()).toEqual({ records: 0, quarantined: 0 });
      await other.finish(runEnd());
    });

    it("an unknown identifier has no state", async () => {
      expect((await run.loadStates(["never", "never"])).size).toBe(0);
      expect((await run.loadStates([])).size).toBe(0);
    });

    it("a batch of a thousand records in any order is written whole", async () => {
      const changes: RecordChange[] = [];
      for (let n = 999; n >= 0; n -= 1) changes.push(change(`id-${String(n)}`, `content ${String(n)}`));
      expect((await run.commit(batch({ changes }))).inserted).toBe(1000);
      expect(await run.countAlive()).toBe(1000);
      expect((await run.loadStates(changes.map((one) => one.identifier))).size).toBe(1000);
    });

    it("text no database takes costs nothing: NUL, lone surrogates, an identifier of 10 kB", async () => {
      const long = `oai:${"x".repeat(10_000)}`;
      const changes = [change("nul\0", "A\0\uD800"), change(long, "B", { about: ["\0"] })];
      const refusals = [
        refusal("bad\0", {
          violations: [{ gate: "xsd", rule: "r\0", severity: "error", message: "m\0", xpath: "\uDFFF" }],
        }),
      ];
      expect(await run.commit(batch({ changes, refusals }))).toEqual({
        ...nothing,
        inserted: 2,
        quarantined: 1,
      });
      const states = await run.loadStates(["nul\0", long, "bad\0"]);
      expect([...states.keys()]).toEqual(["nul\0", long, "bad\0"]);
      await run.stageSweep(["nul\0", long, "bad\0"]);
      expect(await run.sweep("", 10)).toMatchObject({ known: 2, missingCount: 0, missingQuarantined: [] });
    });

    describe("the cursor", () => {
      it("is empty before the first harvest", async () => {
        expect(await run.loadCursor(key)).toEqual({});
      });

      it("keeps watermark, sweep and unfinished list as given", async () => {
        const cursor = {
          watermark: day1,
          sweptAt: day2,
          unfinished: {
            token: "t/1+2=",
            window: { from: day1, until: day2 },
            windowTime: day2,
            storedAt: day3,
            received: 100,
            listSize: 300,
          },
        };
        await run.commit(batch({ cursor }));
        expect(await run.loadCursor(key)).toEqual(cursor);
        await run.commit(batch({ cursor: { watermark: day2 } }));
        expect(await run.loadCursor(key)).toEqual({ watermark: day2, sweptAt: day2 });
      });

      it("moves its watermark only forward", async () => {
        await run.commit(batch({ cursor: { watermark: day2 } }));
        await run.commit(batch({ cursor: { watermark: day1 } }));
        await run.commit(batch({ cursor: {} }));
        expect(await run.loadCursor(key)).toEqual({ watermark: day2 });
      });

      it("stands by itself for each endpoint, set and prefix", async () => {
        await run.commit(batch({ cursor: { watermark: day1 } }));
        expect(await run.loadCursor({ ...key, set: "a" })).toEqual({});
        expect(await run.loadCursor({ ...key, prefix: "iso19139" })).toEqual({});
        expect(await run.loadCursor({ ...key, endpoint: "https://other.example" })).toEqual({});
      });
    });

    describe("quarantine", () => {
      it("is told by loadStates until the record comes sound", async () => {
        await run.commit(batch({ refusals: [refusal("r1")] }));
        expect((await run.loadStates(["r1"])).get("r1")).toMatchObject({
          deleted: false,
          sets: [],
          quarantined: { policyDigest: "policy-1" },
        });
        expect(await run.commit(batch({ changes: [change("r1", "A")], healed: ["r1", "r2"] }))).toMatchObject(
          { healed: 1 },
        );
        expect((await run.loadStates(["r1"])).get("r1")?.quarantined).toBeUndefined();
      });

      it("keeps the stored version of a record that comes bad", async () => {
        await run.commit(batch({ changes: [change("r1", "A")] }));
        await run.commit(batch({ refusals: [refusal("r1"), refusal("r1")] }));
        const state = (await run.loadStates(["r1"])).get("r1")!;
        expect(hex(state.checksum)).toBe(hex(sha("A")));
        expect(hex(state.quarantined?.rawChecksum)).toBe(hex(sha("bad r1")));
      });

      it("C52 ends with the record: a tombstone closes the entry of a record never stored", async () => {
        await run.commit(batch({ refusals: [refusal("r1")] }));
        await run.commit(batch({ withdrawals: [{ identifier: "r1", set: "", reason: "tombstone" }] }));
        expect((await run.loadStates(["r1"])).has("r1")).toBe(false);
      });
    });

    describe("the sweep", () => {
      it("names what is alive and not in the source's list, bounded", async () => {
        await run.commit(batch({ changes: ["a", "b", "c", "d"].map((id) => change(id, id)) }));
        await run.commit(batch({ withdrawals: [{ identifier: "d", set: "", reason: "tombstone" }] }));
        await run.stageSweep(["a", "unknown"]);
        await run.stageSweep(["a"]);
        expect(await run.sweep("", 1)).toEqual({
          known: 3,
          staged: 2,
          missing: ["b"],
          missingCount: 2,
          missingQuarantined: [],
        });
      });

      it("looks only at records of its set", async () => {
        await run.commit(
          batch({ changes: [change("a", "a", { set: "s" }), change("b", "b", { set: "t" })] }),
        );
        await run.stageSweep([]);
        expect(await run.sweep("s", 10)).toMatchObject({
          known: 1,
          staged: 0,
          missing: ["a"],
          missingCount: 1,
        });
        expect(await run.sweep("", 10)).toMatchObject({ known: 2, missing: ["a", "b"], missingCount: 2 });
      });

      it("C52 covers records that stand only in quarantine", async () => {
        await run.commit(batch({ refusals: [refusal("r1"), refusal("r2")], changes: [change("r3", "A")] }));
        await run.stageSweep(["r2", "r3"]);
        expect(await run.sweep("", 10)).toMatchObject({ missing: [], missingQuarantined: ["r1"] });
      });

      it("starts anew after dropSweep", async () => {
        await run.commit(batch({ changes: [change("a", "a")] }));
        await run.stageSweep(["a"]);
        await run.dropSweep();
        expect(await run.sweep("", 10)).toMatchObject({ staged: 0, missing: ["a"] });
      });
    });

    it("memberships in sets no longer asked for keep nothing alive", async () => {
      await run.commit(batch({ changes: [change("r1", "A", { set: "old" })] }));
      await run.finish(runEnd());
      run = await store.begin(runStart({ runId: "run-2", sets: ["new"] }));
      await run.commit(batch({ touches: [{ identifier: "r1", set: "new" }] }));
      expect(
        await run.commit(batch({ withdrawals: [{ identifier: "r1", set: "new", reason: "tombstone" }] })),
      ).toMatchObject({ withdrawn: 1 });
    });

    it("counts the living, all and by set", async () => {
      await run.commit(batch({ changes: [change("a", "a", { set: "s" }), change("b", "b", { set: "t" })] }));
      expect([await run.countAlive(), await run.countAlive("s"), await run.countAlive("none")]).toEqual([
        2, 1, 0,
      ]);
    });

    describe("endpoint", () => {
      const future = "2999-01-01T00:00:00Z";

      it("is remembered with all it has", async () => {
        expect(await run.loadEndpoint("e")).toEqual({ consecutiveFailures: 0 });
        await run.saveEndpoint("e", {
          consecutiveFailures: 3,
          blockedUntil: future,
          blockedBecause: "Retry-After",
          openedAt: day1,
        });
        expect(await run.loadEndpoint("e")).toEqual({
          consecutiveFailures: 3,
          blockedUntil: future,
          blockedBecause: "Retry-After",
          openedAt: day1,
        });
      });

      it("C74 a quiet still asked for is not shortened by who did not hear of it", async () => {
        await run.saveEndpoint("e", {
          consecutiveFailures: 1,
          blockedUntil: future,
          blockedBecause: "Retry-After",
        });
        await run.saveEndpoint("e", { consecutiveFailures: 0 });
        expect(await run.loadEndpoint("e")).toEqual({
          consecutiveFailures: 0,
          blockedUntil: future,
          blockedBecause: "Retry-After",
        });
      });

      it("a quiet that is over goes", async () => {
        await run.saveEndpoint("e", {
          consecutiveFailures: 1,
          blockedUntil: day1,
          blockedBecause: "Retry-After",
        });
        await run.saveEndpoint("e", { consecutiveFailures: 0 });
        expect(await run.loadEndpoint("e")).toEqual({ consecutiveFailures: 0 });
      });
    });

    describe("limits", () => {
      it("gives no more slots than the ceiling, and the next when one is given back", async () => {
        const { signal } = new AbortController();
        const first = await run.acquireSlot("h", 2, signal);
        const second = await run.acquireSlot("h", 2, signal);
        let third = false;
        const waiting = run.acquireSlot("h", 2, signal).then((release) => {
          third = true;
          return release;
        });
        await new Promise((resolve) => setTimeout(resolve, 50));
        expect(third).toBe(false);
        await first();
        await first();
        await (
          await waiting
        )();
        await second();
      });

      it("stops waiting for a slot when told to", async () => {
        const stop = new AbortController();
        const release = await run.acquireSlot("h", 1, stop.signal);
        const waiting = run.acquireSlot("h", 1, stop.signal);
        stop.abort(new Error("stopped"));
        await expect(waiting).rejects.toThrow();
        await release();
      });

      it("spaces the requests of a host", async () => {
        const waits = [
          await run.reserve("h", 0.01),
          await run.reserve("h", 0.01),
          await run.reserve("h", 0.01),
        ];
        expect(waits[0]).toBe(0);
        expect(waits.map((ms) => Math.round(ms / 100_000))).toEqual([0, 1, 2]);
      });
    });

    it("C130 a source is held by one run at a time", async () => {
      await expect(store.begin(runStart({ runId: "run-2" }))).rejects.toMatchObject({
        kind: "busy",
        code: "SourceHeld",
        message: expect.stringContaining("run-1") as string,
      });
      await run.finish(runEnd());
      run = await store.begin(runStart({ runId: "run-3" }));
      expect(await run.countAlive()).toBe(0);
    });
  });
}
