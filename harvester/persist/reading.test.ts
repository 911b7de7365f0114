import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases, type OpenEngine } from "../../tests/store/engines.js";
import { batch, canonical, change, key, refusal, runEnd, runStart, sha } from "../../tests/store/samples.js";
import type { Db } from "./db.js";
import { getQuarantine, iterateQuarantine, listQuarantine, resolveQuarantine } from "./quarantine-reading.js";
import { getRecord, lastRuns, likePattern, listRecords, listSources } from "./reading.js";

describe.each(databases)("reading from $name", (engine) => {
  let opened: OpenEngine;
  let db: Db;

  beforeAll(async () => {
    if (engine.missing) return;
    opened = await engine.open();
    db = opened.db!;
    const store = await opened.freshStore();
    const first = await store.begin(runStart());
    await first.commit(
      batch({
        changes: [
          change("oai:1", "Parcels 100%", {
            datestamp: "2026-11-01T00:00:00Z",
            about: ["<a/>"],
            remarks: [{ gate: "xsd", rule: "r", severity: "info", message: "m" }],
          }),
          change("oai:2", "Roads", { sequence: 7 }),
          change("oai:3", "Rivers"),
        ],
        refusals: [refusal("oai:1"), refusal("oai:bad")],
        cursor: { watermark: "2026-11-01T00:00:00Z" },
      }),
    );
    await first.commit(
      batch({
        key: { ...key, set: "b" },
        withdrawals: [{ identifier: "oai:3", set: "", reason: "tombstone" }],
        cursor: { watermark: "2026-11-02T00:00:00Z" },
      }),
    );
    await first.saveEndpoint(key.endpoint, {
      consecutiveFailures: 1,
      blockedUntil: "2999-01-01T00:00:00Z",
      blockedBecause: "Retry-After",
    });
    await first.finish(runEnd({ summary: { read: 3 } }));
    const second = await store.begin(runStart({ runId: "run-2", startedAt: "2026-11-30T01:00:00Z" }));
    await second.finish(
      runEnd({
        outcome: "failed",
        exitCode: 69,
        code: "unavailable",
        message: "Nothing answers.",
        endedAt: "2026-11-30T01:00:09Z",
      }),
    );
    const other = await store.begin(
      runStart({ runId: "run-3", source: "state", holder: "pod-9", startedAt: "2026-11-30T02:00:00Z" }),
    );
    await other.commit(batch({ changes: [change("oai:1", "Parcels of the state")] }));
  });
  afterAll(() => (engine.missing ? undefined : opened.close()));

  it.skipIf(engine.missing)("sources and how they stand", async () => {
    const [county, state] = await listSources(db);
    expect(county?.lagSeconds).toBeTypeOf("number");
    expect({ ...county, lagSeconds: 0 }).toEqual({
      name: "county",
      endpoint: key.endpoint,
      prefix: "oai_dc",
      lastSuccess: "2026-11-30T00:01:00Z",
      watermark: "2026-11-01T00:00:00Z",
      lagSeconds: 0,
      alive: 2,
      withdrawn: 1,
      quarantined: 2,
      failuresInRow: 1,
      lastRun: {
        runId: "run-2",
        status: "failed",
        startedAt: "2026-11-30T01:00:00Z",
        endedAt: "2026-11-30T01:00:09Z",
        message: "Nothing answers.",
        code: "unavailable",
      },
      blockedUntil: "2999-01-01T00:00:00Z",
      blockedBecause: "Retry-After",
      holder: null,
    });
    expect(state).toMatchObject({
      name: "state",
      lastSuccess: null,
      watermark: null,
      lagSeconds: null,
      alive: 1,
      failuresInRow: 0,
      holder: "pod-9",
      lastRun: { status: "running", endedAt: null },
    });
    expect(await listSources(db, "state")).toHaveLength(1);
    expect(await listSources(db, "none")).toEqual([]);
  });

  it.skipIf(engine.missing).each([
    { filter: {}, expect: ["county oai:1", "county oai:2", "state oai:1"] },
    { filter: { source: "county" }, expect: ["county oai:1", "county oai:2"] },
    {
      filter: { source: "county", withDeleted: true },
      expect: ["county oai:1", "county oai:2", "county oai:3"],
    },
    { filter: { text: "parcels" }, expect: ["county oai:1", "state oai:1"] },
    { filter: { text: "100%" }, expect: ["county oai:1"] },
    { filter: { text: "_" }, expect: [] },
    { filter: { text: "OAI:2" }, expect: ["county oai:2"] },
    { filter: { limit: 1, offset: 1 }, expect: ["county oai:2"] },
  ])("records: $filter", async ({ filter, expect: expected }) => {
    expect((await listRecords(db, filter)).map((row) => `${row.source} ${row.identifier}`)).toEqual(expected);
  });

  it.skipIf(engine.missing)("a record whole, of each source that has it", async () => {
    const records = await getRecord(db, "oai:1");
    expect(records.map((record) => record.source)).toEqual(["county", "state"]);
    const [record] = await getRecord(db, "oai:1", "county");
    expect(record).toMatchObject({
      title: "Parcels 100%",
      canonical: canonical("Parcels 100%"),
      datestamp: "2026-11-01T00:00:00Z",
      sets: [""],
      about: ["<a/>"],
      remarks: [{ gate: "xsd", rule: "r", severity: "info", message: "m" }],
      sequence: null,
      deleted: false,
      deletedReason: null,
    });
    expect(Buffer.from(record!.body).toString()).toBe("<r>Parcels 100%</r>");
    expect(Buffer.from(record!.checksum)).toEqual(Buffer.from(sha("Parcels 100%")));
    expect(await getRecord(db, "none")).toEqual([]);
  });

  it.skipIf(engine.missing)("runs, the newest first", async () => {
    expect((await lastRuns(db)).map((run) => `${run.source} ${run.runId} ${run.status}`)).toEqual([
      "state run-3 running",
      "county run-2 failed",
      "county run-1 complete",
    ]);
    expect((await lastRuns(db, { source: "county", limit: 1 }))[0]).toMatchObject({
      exitCode: 69,
      code: "unavailable",
      message: "Nothing answers.",
      counts: { read: 1 },
      holder: "pod-uid-1",
    });
  });

  it.skipIf(engine.missing)("quarantine: list, show, close", async () => {
    expect((await listQuarantine(db)).map((row) => row.identifier).sort()).toEqual(["oai:1", "oai:bad"]);
    expect(await listQuarantine(db, { rule: "other" })).toEqual([]);
    expect(await listQuarantine(db, { run: "run-1", source: "county", limit: 1 })).toHaveLength(1);
    const entry = await getQuarantine(db, "oai:bad");
    expect(entry).toMatchObject({
      source: "county",
      set: "",
      gate: "schematron",
      rule: "bbox-order",
      message: "West lies east of east.",
      xpath: "/r/b[1]",
      line: 112,
      runId: "run-1",
      policyDigest: "policy-1",
      timesSeen: 1,
      resolvedAt: null,
      resolution: null,
      header: { datestamp: "2026-11-01T00:00:00Z", sets: ["a"] },
      cursor: { ...key, watermark: "2026-11-01T00:00:00Z" },
      keptVersionOf: null,
    });
    expect(entry?.violations).toHaveLength(2);
    expect(Buffer.from(entry!.body).toString()).toBe("<r>bad oai:bad</r>");
    expect((await getQuarantine(db, "oai:1"))?.keptVersionOf).toMatch(/Z$/);
    expect(await getQuarantine(db, "none")).toBeUndefined();
    expect(await resolveQuarantine(db, entry!.id, "dismissed")).toBe(true);
    expect(await resolveQuarantine(db, entry!.id, "dismissed")).toBe(false);
    expect(await listQuarantine(db)).toHaveLength(1);
    expect(await listQuarantine(db, { withResolved: true })).toHaveLength(2);
    expect((await getQuarantine(db, "oai:bad"))?.resolution).toBe("dismissed");
  });

  it.skipIf(engine.missing)(
    "quarantine is read in pages, each entry once, in order, even while entries are closed",
    async () => {
      const run = await (await opened.freshStore()).begin(runStart());
      const identifiers = Array.from({ length: 120 }, (_, i) => `bad-${String(i).padStart(3, "0")}`);
      await run.commit(batch({ refusals: identifiers.map((identifier) => refusal(identifier)) }));
      const seen: string[] = [];
      for await (const entry of iterateQuarantine(db, { rule: "bbox-order" })) {
        seen.push(entry.identifier);
        await resolveQuarantine(db, entry.id, "replayed");
      }
      expect(seen).toEqual(identifiers);
      expect(await listQuarantine(db)).toEqual([]);
    },
  );
});

describe("the text people look for", () => {
  it.each([
    { given: "a b", expect: "%a b%" },
    { given: "100%", expect: "%100\\%%" },
    { given: "a_b\\", expect: "%a\\_b\\\\%" },
  ])("$given", ({ given, expect: expected }) => {
    expect(likePattern(given)).toBe(expected);
  });
});
