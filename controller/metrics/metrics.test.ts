import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../tests/setup/fake-clock.js";
import { definitions, type Definition } from "./definitions.js";
import { createMetrics, type MetricsOptions } from "./metrics.js";
import type { SourceReading } from "./source-series.js";

const counts = { lists: 2, watches: 5, events: 40, staleEvents: 3, callbackFailures: 0 };

function options(sources: () => readonly SourceReading[]): MetricsOptions {
  return {
    controller: "harvestsource",
    workers: 4,
    leaseName: "harvest-controller",
    host: "10.0.0.1:443",
    clock: fakeClock(Date.parse("2026-12-01T12:00:00Z")),
    maxSources: 2,
    processDefaults: false,
    read: {
      sources,
      queue: () => ({ depth: 7, working: 2, unfinishedSeconds: 4.5, longestSeconds: 3 }),
      reflectors: () => [
        {
          name: "sources",
          state: {
            ...{ synced: true, objects: 10, failures: 0, idleMs: 1_500 },
            counts: { ...counts, restarts: { closed: 4, expired: 1 } },
          },
        },
        {
          name: "jobs",
          state: {
            ...{ synced: true, objects: 3, failures: 0, idleMs: 100 },
            counts: { ...counts, restarts: {} },
          },
        },
        {
          name: "jobs",
          state: {
            ...{ synced: false, objects: 4, failures: 2, idleMs: 90_000 },
            counts: { ...counts, restarts: { silent: 2 } },
          },
        },
      ],
      leading: () => true,
    },
  };
}

const sources: readonly SourceReading[] = [
  {
    namespace: "geo",
    name: "harbor",
    generation: 2,
    status: {
      observedGeneration: 2,
      watermark: "2026-12-01T10:00:00Z",
      lastSuccessTime: "2026-12-01T10:00:30Z",
      consecutiveFailures: 0,
      records: 310,
      quarantined: 2,
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "Scheduled",
          message: 'a "b"',
          lastTransitionTime: "2026-12-01T00:00:00Z",
        },
      ],
    },
  },
  { namespace: "geo", name: "new", generation: 1, status: { observedGeneration: -1 } },
  { namespace: "sea", name: "x", generation: 1, status: { observedGeneration: 1, records: 5, drift: {} } },
  { namespace: "sea", name: "y", generation: 1, status: { observedGeneration: 1, records: 6 } },
];

describe("the metrics page", () => {
  it("is as it stands in exposition.golden.txt, to the letter", async () => {
    const metrics = createMetrics(options(() => sources));
    metrics.queueHooks.added();
    metrics.queueHooks.retried();
    metrics.queueHooks.taken(0.002);
    metrics.queueHooks.worked({ result: "success", seconds: 0.02 });
    metrics.queueHooks.worked({ result: "error", seconds: 2 });
    for (const [verb, status] of [
      ["list", 200],
      ["watch", 200],
      ["create", 409],
      ["patch", 0],
      ["get", 404],
    ] as const)
      metrics.request({ verb, status });
    metrics.run({ outcome: "complete", counts: { read: 100, updated: 3 } });
    metrics.run({ outcome: "failed" });
    metrics.drift("revert");
    metrics.childRepaired("CronJob");
    metrics.event("written");
    metrics.event("spam");
    const golden = readFileSync(join(import.meta.dirname, "exposition.golden.txt"), "utf8");
    const { body, contentType } = await metrics.exposition();
    expect(body).toBe(golden);
    expect(contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
  });

  it("forgets a source that was deleted, and what a source no longer says", async () => {
    let present = sources.slice(0, 2);
    const metrics = createMetrics(options(() => present));
    const lines = async (name: string) =>
      (await metrics.exposition()).body.split("\n").filter((line) => line.includes(`name="${name}"`)).length;
    expect(await lines("harbor")).toBe(7);
    present = [{ namespace: "geo", name: "harbor", status: {} }];
    expect(await lines("harbor")).toBe(1);
    present = [];
    expect(await lines("harbor")).toBe(0);
    expect(await lines("new")).toBe(0);
  });

  it("counts in the same place from scrape to scrape", async () => {
    const metrics = createMetrics(options(() => sources));
    const first = (await metrics.exposition()).body;
    expect((await metrics.exposition()).body).toBe(first);
  });

  it("has the process's own metrics unless told not to", async () => {
    const { body } = await createMetrics({ ...options(() => []), processDefaults: true }).exposition();
    expect(body).toMatch(/^process_resident_memory_bytes /m);
    expect(body).toMatch(/^nodejs_eventloop_lag_seconds /m);
  });
});

describe("docs/metrics.md", () => {
  it("tells the names, types and labels of all metrics, and of no other", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/metrics.md"), "utf8");
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (\w+) +\| ([\w, ]*?) *\|/gm)].map(
      ([, name, type, labels]) => `${name!} ${type!} ${labels!}`,
    );
    const known = Object.values<Definition>(definitions).map(
      ({ name, type, labels }) => `${name} ${type} ${labels.join(", ")}`,
    );
    expect(rows).toEqual(known);
  });
});
