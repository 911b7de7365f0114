/**
 * The whole of it, in order: a manifest is applied, the real controllers make Job and Pod of it, a kubelet runs the real
 * harvester against an agency with mutual TLS into a real PostgreSQL, and the status tells what became of it.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testCluster } from "../setup/cluster.js";
import { testPostgres } from "../setup/postgres.js";
import { apply, manifest, openStage, row, told, untilStatus, type Stage } from "../setup/story-stage.js";

const cluster = await testCluster();
const server = await testPostgres();
const playable = cluster !== undefined && !cluster.existing && server !== undefined;

describe.skipIf(!playable)("a source, from its manifest to its removal", { timeout: 120_000 }, () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage(cluster!, server!);
  }, 120_000);
  afterAll(async () => {
    await stage.remove();
    await server?.stop();
  }, 60_000);

  it("is harvested by its schedule, and its status tells so", async () => {
    await apply(cluster!, manifest(stage.agency, { schedule: "* * * * *" }));
    const status = await untilStatus(cluster!, ({ lastRun }) => lastRun !== undefined, { seconds: 110 });
    expect(status.lastRun).toMatchObject({
      outcome: "complete",
      exitCode: 0,
      counts: { read: 30, inserted: 30 },
    });
    expect(status).toMatchObject({ records: 30, quarantined: 0, consecutiveFailures: 0 });
    expect(["Ready", "LastRunSucceeded", "Fresh", "Stalled"].map((type) => told(status, type))).toEqual([
      "True Scheduled",
      "True Complete",
      "True WithinSchedule",
      undefined,
    ]);
    expect(await row(cluster!)).toMatchObject({
      READY: "True",
      STATUS: "Fresh",
      RECORDS: "30",
      QUARANTINED: "0",
    });
  });
});
