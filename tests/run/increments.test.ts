/** Section B of the case log, end to end: dates, windows, and what a second run asks for. */
import { describe, expect, it } from "vitest";
import { START, type Ran } from "./scene.js";
import { stage, table } from "./stage.js";

const open = stage();
const whole = { outcome: "complete", exitCode: 0 } as const;
const DAY = 86_400;

/** What one parameter was in each list request that had no token. */
function asked({ requests }: Ran, name: string): (string | null)[] {
  return requests
    .map(({ query }) => new URLSearchParams(query))
    .filter((q) => q.get("verb") === "ListRecords" && !q.has("resumptionToken"))
    .map((q) => q.get(name));
}

describe("what a list says of time", () => {
  table(open, [
    {
      name: "C22 datestamps with fractions are read",
      arm: { kind: "odd-datestamps", value: "fraction", times: 0 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
    {
      name: "C22 datestamps with an offset are read",
      arm: { kind: "odd-datestamps", value: "offset", times: 0 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
    {
      name: "C22 records with an empty datestamp are kept, and never move the watermark",
      arm: { kind: "odd-datestamps", value: "empty", times: 0 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
    {
      name: "C24 an earliestDatestamp of year 0 hides nothing",
      arm: { kind: "earliest-datestamp", times: 0 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
    {
      name: "C24 an earliestDatestamp of now hides nothing, also in shards",
      arm: { kind: "earliest-datestamp", value: START, times: 0 },
      spec: { delta: { maxWindowDays: 100 } },
      expect: whole,
      watermark: START,
      alive: 30,
    },
    {
      name: "C29 a server that refuses an `until` ahead of its clock is never given one",
      arm: { kind: "refuses-future", times: 0 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
    {
      name: "C32 a list the server finds too large (413) is read in parts",
      arm: { kind: "list-too-large", value: "12", times: 0 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
  ]);
});

describe("the next run", () => {
  it("C24 the first run sends no from; the second begins an overlap before the watermark", async () => {
    const { run, clock } = await open();
    expect(asked(await run(), "from")).toEqual([null]);
    clock.advance(3600);
    const second = await run();
    expect(asked(second, "from")).toEqual(["2026-01-10T05:55:00Z"]);
    expect(asked(second, "until")).toEqual([null]);
  });

  it("C19 a source of day granularity is asked in days, and its last day is read again", async () => {
    const { run, clock, control } = await open({ sandbox: { granularity: "day" } });
    await run();
    clock.advance(3600);
    control.change(4);
    const second = await run();
    expect(asked(second, "from")).toEqual(["2026-01-10"]);
    expect(second.counts).toMatchObject({ read: 1, updated: 1 });
  });

  it("C21 both ends of a window have the declared granularity", async () => {
    const { run } = await open({ sandbox: { granularity: "day" }, spec: { delta: { maxWindowDays: 400 } } });
    const ran = await run();
    expect(asked(ran, "from")).toEqual([null, "2024-02-05", "2025-03-11"]);
    expect(asked(ran, "until")).toEqual(["2024-02-05", "2025-03-11", null]);
  });

  it("catches up in shards, in order; the watermark moves after each, so that a break keeps what was read", async () => {
    const { run, peek, control } = await open({ spec: { delta: { maxWindowDays: 400 } } });
    // Three pages in the first shard, an empty second one, and the third fails.
    control.arm({ kind: "status", status: 404, verb: "ListRecords", after: 4, times: 0 });
    const first = await run();
    expect(asked(first, "until").slice(0, 2)).toEqual(["2024-02-05T00:00:00Z", "2025-03-11T00:00:00Z"]);
    expect(first).toMatchObject({ outcome: "partial", exitCode: 69 });
    expect((await peek()).cursor).toEqual({ watermark: "2025-03-11T00:00:00Z" });
    control.disarm();
    const second = await run();
    expect(asked(second, "from")).toEqual(["2025-03-10T23:55:00Z"]);
    expect((await peek()).cursor).toEqual({ watermark: START });
  });

  it("C26 pages that were stored do not move the watermark of a list that broke", async () => {
    const { run, peek, control, clock } = await open({ spec: { token: { cacheTtlSeconds: 0 } } });
    control.arm({ kind: "status", status: 404, verb: "ListRecords", page: 3, times: 0 });
    expect(await run()).toMatchObject({ outcome: "partial", exitCode: 69 });
    const { cursor, alive } = await peek();
    expect({ watermark: cursor.watermark, alive }).toEqual({ watermark: undefined, alive: 20 });
    control.disarm();
    clock.advance(60);
    expect(await run()).toMatchObject({ ...whole, counts: { read: 30, inserted: 10, unchanged: 20 } });
  });

  it("C27 the watermark is the server's time of the first answer, whatever our clock says", async () => {
    const { run, peek, control, clock } = await open();
    control.setClockOffset(-600);
    await run();
    expect((await peek()).cursor.watermark).toBe("2026-01-10T05:50:00Z");
    clock.advance(60);
    // Changed within the ten minutes the server's clock is behind ours.
    control.change(7);
    expect((await run()).counts).toMatchObject({ read: 1, updated: 1 });
  });

  it("C30 a server whose clock was set back is never asked for the future", async () => {
    const { run, control } = await open();
    await run();
    control.setClockOffset(-2 * DAY);
    const second = await run();
    expect(asked(second, "from")).toEqual(["2026-01-08T05:55:00Z"]);
    expect(second).toMatchObject(whole);
  });

  it("C32 a reindex that stamps every record today is read once and writes no content", async () => {
    const { run, control, clock } = await open();
    await run();
    clock.advance(3600);
    control.touchAll();
    const { counts } = await run();
    expect(counts).toMatchObject({ read: 30, inserted: 0, updated: 0, unchanged: 30 });
  });

  it("a server that ignores from is read whole, writes nothing, and is told of", async () => {
    const { run, control, clock } = await open();
    await run();
    clock.advance(3600);
    control.arm({ kind: "ignores-from", times: 0 });
    const second = await run();
    expect(second).toMatchObject({ ...whole, counts: { read: 30, unchanged: 30 } });
    expect(second.warned).toEqual(["filter-ignored"]);
  });
});

describe("modes and sets", () => {
  it("delta.mode full asks for everything in every run, and writes only what changed", async () => {
    const { run, control, clock } = await open({ spec: { delta: { mode: "full" } } });
    await run();
    clock.advance(3600);
    control.change(3);
    const second = await run();
    expect(asked(second, "from")).toEqual([null]);
    expect(second.counts).toMatchObject({ read: 30, updated: 1, unchanged: 29 });
  });

  it("delta.mode snapshot lists headers and fetches what is new or carries another datestamp", async () => {
    const { run, control, clock, peek } = await open({ count: 12, spec: { delta: { mode: "snapshot" } } });
    const first = await run();
    expect(first.counts).toMatchObject({ read: 12, inserted: 12, requests: 15 });
    clock.advance(3600);
    control.change(3);
    const second = await run();
    expect(second.verbs).toEqual(["Identify", "ListIdentifiers", "ListIdentifiers", "GetRecord"]);
    expect(second.counts).toMatchObject({ updated: 1, inserted: 0 });
    expect((await peek()).cursor.watermark).toBe("2026-01-10T07:00:00Z");
  });

  it("sets have a cursor each; one that fails does not hold back the one before it", async () => {
    const { run, control, peek } = await open({ spec: { sets: ["office:1", "office:2"] } });
    const all = await run();
    expect(asked(all, "set")).toEqual(["office:1", "office:2"]);
    expect((await peek("office:1")).cursor.watermark).toBe(START);
    expect((await peek("office:2")).cursor.watermark).toBe(START);
    control.arm({ kind: "status", status: 404, verb: "ListRecords", after: 1, times: 0 });
    const broken = await run();
    expect(broken.watermarks.map(({ before, after }) => before === after)).toEqual([true, true]);
    expect(broken).toMatchObject({ exitCode: 69 });
  });

  it("--limit stops after so many records of a source and moves nothing", async () => {
    const { run, peek } = await open({ spec: { delta: { maxWindowDays: 1 } } });
    const ran = await run({ limit: 7 });
    expect(ran).toMatchObject({ outcome: "interrupted", code: "LimitReached", counts: { read: 7 } });
    expect((await peek()).cursor).toEqual({});
  });

  it("onFailure: fail stops before the watermark at the first refused record, which is kept", async () => {
    const { run, peek } = await open({
      sandbox: { source: { kind: "generated", count: 30, faulty: 1, faultNames: ["missing-title"] } },
      spec: {
        validation: { xsd: "schemas/oai_dc.xsd", schematron: "rules/oai-dc-rules.sch", onFailure: "fail" },
      },
    });
    const ran = await run();
    expect(ran).toMatchObject({ outcome: "refused", exitCode: 65, code: "RecordRefused" });
    expect(ran.counts.quarantined).toBe(1);
    expect((await peek()).cursor.watermark).toBeUndefined();
  });
});
