import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases, type OpenEngine } from "../../tests/store/engines.js";
import { batch, change, refusal, runEnd, runStart } from "../../tests/store/samples.js";
import { readSourceFacts } from "./source-facts.js";
import type { RunCounts, RunEnd, RunStart, Store } from "./store.js";

const none: RunCounts = {
  requests: 0,
  bytes: 0,
  read: 0,
  inserted: 0,
  updated: 0,
  withdrawn: 0,
  unchanged: 0,
  quarantined: 0,
};

/** A run at this minute of the last day of November, its end in `seconds`. */
async function ran(store: Store, minute: number, given: Given): Promise<void> {
  const at = `2026-11-30T00:${String(minute).padStart(2, "0")}`;
  const { source = "county", seconds = 9, counts = {}, ...end } = given;
  const start: Partial<RunStart> = { runId: `${source}-${at}`, source, startedAt: `${at}:00Z` };
  const run = await store.begin(runStart(start));
  if (given.batch !== undefined) await run.commit(given.batch);
  const endedAt = `${at}:${String(seconds).padStart(2, "0")}Z`;
  await run.finish(runEnd({ ...end, endedAt, counts: { ...none, requests: 2, ...counts } }));
}

interface Given extends Partial<Pick<RunEnd, "outcome" | "code" | "summary">> {
  readonly source?: string;
  readonly seconds?: number;
  readonly counts?: Partial<RunCounts>;
  readonly batch?: ReturnType<typeof batch>;
}

describe.each(databases)("facts of a review from $name", (engine) => {
  let opened: OpenEngine;
  beforeAll(async () => {
    if (!engine.missing) opened = await engine.open();
  });
  afterAll(() => (engine.missing ? undefined : opened.close()));

  async function facts() {
    return Object.fromEntries(await readSourceFacts(opened.db!));
  }

  it.skipIf(engine.missing)("an empty store knows no source", async () => {
    await opened.freshStore();
    expect(await facts()).toEqual({});
  });

  it.skipIf(engine.missing)("records, quarantine, last run, last full run, longest, skew", async () => {
    const store = await opened.freshStore();
    const ten = Array.from({ length: 10 }, (_, i) => change(`oai:${String(i)}`, String(i)));
    const all = batch({ changes: ten, refusals: [refusal("oai:bad")] });
    await ran(store, 1, { batch: all, seconds: 40, counts: { requests: 3, bytes: 900, read: 11 } });
    await ran(store, 2, { seconds: 20, counts: { read: 9, bytes: 70 }, summary: { skewSeconds: -90 } });
    // Eight of ten records are not nine tenths of them.
    await ran(store, 3, { counts: { read: 8 }, summary: { skewSeconds: 30 } });
    await ran(store, 4, { outcome: "partial", code: "X", seconds: 12, counts: { read: 10, bytes: 5 } });
    // A replay of the quarantine asks the agency nothing.
    await ran(store, 5, { seconds: 59, counts: { requests: 0, read: 10 } });
    await ran(store, 6, { source: "state", outcome: "failed", code: "NotOai", seconds: 1 });
    await store.begin(runStart({ runId: "now", source: "fresh" }));
    expect(await facts()).toEqual({
      county: {
        records: 10,
        quarantined: 1,
        lastRun: {
          outcome: "partial",
          endedAt: "2026-11-30T00:04:12Z",
          seconds: 12,
          read: 10,
          requests: 2,
          bytes: 5,
        },
        lastFullRun: {
          outcome: "complete",
          endedAt: "2026-11-30T00:02:20Z",
          seconds: 20,
          read: 9,
          requests: 2,
          bytes: 70,
        },
        longestSeconds: 40,
        skewSeconds: 90,
      },
      fresh: { records: 0, quarantined: 0 },
      state: {
        records: 0,
        quarantined: 0,
        lastRun: {
          outcome: "failed",
          endedAt: "2026-11-30T00:06:01Z",
          seconds: 1,
          read: 0,
          requests: 2,
          bytes: 0,
        },
        longestSeconds: 1,
      },
    });
  });

  it.skipIf(engine.missing)("only the last ten runs say how long and how skewed", async () => {
    const store = await opened.freshStore();
    await ran(store, 1, { seconds: 50, summary: { skewSeconds: 3600 } });
    for (let minute = 2; minute <= 11; minute += 1)
      await ran(store, minute, { seconds: minute, summary: { skewSeconds: 1 } });
    expect(await facts()).toMatchObject({ county: { longestSeconds: 11, skewSeconds: 1 } });
  });

  it.skipIf(engine.missing)("how long a run took whose process vanished is not known", async () => {
    const store = await opened.freshStore();
    await store.begin(runStart({ startedAt: "2026-11-29T00:00:00Z" }));
    await opened.db!.query("UPDATE source_lease SET expires_at = '-infinity'");
    await ran(store, 1, { source: "county", seconds: 9, counts: { read: 1 } });
    expect((await facts())["county"]).toMatchObject({ longestSeconds: 9 });
    await opened.db!.query("UPDATE run SET started_at = started_at - interval '2 days' WHERE code IS NULL");
    expect((await facts())["county"]).toMatchObject({ lastRun: { outcome: "failed", read: 0, requests: 0 } });
  });
});
