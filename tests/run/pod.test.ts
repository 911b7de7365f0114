/** Pods on a real PostgreSQL: totals in the message, two namespaces with a source of one name, and withdrawal. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgres } from "../../harvester/persist/postgres.js";
import { listSources } from "../../harvester/persist/reading.js";
import { noPostgres, premises } from "./premises.js";
import { pod, type Pod } from "./pod.js";

describe.skipIf(noPostgres)("pods", () => {
  const here = premises({
    source: { kind: "generated", count: 30, faulty: 3, faultNames: ["missing-title"] },
  });
  let one: Pod;
  let digest: string;
  beforeAll(() => {
    if (noPostgres) return;
    one = pod();
    one.manifest(here.sandbox.url, { deletions: { onSourceRemoval: "withdraw" } });
    digest = one.bundle();
    writeFileSync(join(one.dir, "url"), `${here.database.url}\n`);
  });
  afterAll(() => {
    one.remove();
  });

  function env(key: string): Record<string, string> {
    return {
      HARVEST_SOURCE_KEY: key,
      HARVEST_BUNDLE_DIGEST: digest,
      HARVEST_DATABASE_URL_FILE: join(one.dir, "url"),
    };
  }

  async function standing(): Promise<Record<string, readonly number[]>> {
    const db = await openPostgres(here.database.url);
    const rows = await listSources(db);
    await db.close();
    return Object.fromEntries(rows.map((row) => [row.name, [row.alive, row.withdrawn, row.quarantined]]));
  }

  it("tell what the catalogue holds and which bundle they had, and log the same", async () => {
    for (const key of ["state/scene", "county/scene"]) {
      const ended = await one.run(env(key));
      expect(ended.message).toMatchObject({
        source: "scene",
        outcome: "complete",
        exitCode: 0,
        counts: { inserted: 27, quarantined: 3 },
        totals: { records: 27, quarantined: 3 },
        bundleDigest: digest,
      });
      expect(JSON.parse(ended.stdout.trim().split("\n").at(-1) ?? "")).toMatchObject(ended.message ?? {});
      expect(ended.stdout).toContain(`"source":"${key}"`);
      expect(ended.all).not.toContain(here.database.url);
    }
    expect(await standing()).toEqual({ "county/scene": [27, 0, 3], "state/scene": [27, 0, 3] });
  });

  it("a second run counts what is there, not what came", async () => {
    const { message } = await one.run(env("state/scene"));
    expect(message).toMatchObject({ counts: { inserted: 0 }, totals: { records: 27, quarantined: 3 } });
  });

  it("withdraw takes one source's records and nobody else's, and may be repeated", async () => {
    const first = await one.run(env("state/scene"), "withdraw");
    expect(first.code).toBe(0);
    expect(first.message).toMatchObject({
      task: "withdraw",
      source: "state/scene",
      withdrawn: 27,
      remaining: 0,
      outcome: "complete",
      exitCode: 0,
      message: "27 records of state/scene were withdrawn; none is left.",
    });
    expect(await standing()).toEqual({ "county/scene": [27, 0, 3], "state/scene": [0, 27, 0] });
    const again = await one.run(env("state/scene"), "withdraw");
    expect([again.code, again.message?.["withdrawn"]]).toEqual([0, 0]);
  });

  it("a source that comes back is read from the beginning", async () => {
    const { message } = await one.run(env("state/scene"));
    expect(message).toMatchObject({ outcome: "complete", totals: { records: 27, quarantined: 3 } });
    expect(await standing()).toEqual({ "county/scene": [27, 0, 3], "state/scene": [27, 0, 3] });
  });
});
