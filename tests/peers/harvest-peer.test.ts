/** The whole harvest against a repository by another author: full, nothing new, one changed, one gone. */
import { mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runOne } from "../../cli/run-one.js";
import { openDatabase } from "../../harvester/open-database.js";
import type { Db } from "../../harvester/persist/db.js";
import { openStore } from "../../harvester/persist/open-store.js";
import type { RunSummary } from "../../harvester/report/summary.js";
import { parseManifests } from "../../source/parse.js";
import { freshEmbeddedStore } from "../setup/embedded.js";
import { copyRealRecords, peerEnvironment, startPeerRepository, type PeerRepository } from "./setup.js";

const peer = await peerEnvironment();
if (peer.kind === "missing") process.stderr.write(`skipped tests/peers: ${peer.sentence}\n`);

const root = join(import.meta.dirname, "../..");

function manifestOf(url: string): string {
  return `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata: {name: peer}
spec:
  baseUrl: ${url}
  metadataPrefix: iso19139
  schedule: "@daily"
  deletions: {sweepIntervalHours: 0}
  validation: {xsd: schemas/iso19139.xsd, schematron: rules/geo-business-rules.sch}
  transport: {allowPrivateNetwork: true}
`;
}

describe.skipIf(peer.kind === "missing")("harvesting oai-repo", () => {
  const JANUARY = new Date("2024-01-01T00:00:00Z");
  let folder: string;
  let names: readonly string[];
  let repository: PeerRepository;
  let store: Awaited<ReturnType<typeof freshEmbeddedStore>>;
  let db: Db;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "peer-harvest-"));
    names = await copyRealRecords(folder);
    for (const name of names) await utimes(join(folder, `${name}.xml`), JANUARY, JANUARY);
    repository = await startPeerRepository({ folder, pageSize: 4 });
    store = await freshEmbeddedStore();
    db = await openDatabase({ directory: store.dir });
  });

  afterAll(async () => {
    await db.close();
    store.remove();
    await repository.stop();
    await rm(folder, { recursive: true });
  });

  async function run(): Promise<RunSummary> {
    const { sources } = parseManifests(manifestOf(repository.url), { file: "peer.yaml", named: true });
    return runOne(sources[0]!.source, openStore(db), { root, threads: 1, logLevel: "error" });
  }

  async function titleOf(name: string): Promise<string | undefined> {
    const found = await db.query<{ title: string }>(
      "SELECT canonical->>'title' AS title FROM record WHERE identifier = $1",
      [`oai:peer.example:${name}`],
    );
    return found[0]?.title;
  }

  it("takes the whole list by its tokens: each record is stored or quarantined with its reason", async () => {
    const summary = await run();
    expect(summary).toMatchObject({ outcome: "complete", exitCode: 0 });
    const { read, inserted, quarantined } = summary.counts;
    expect({ read, judged: inserted + quarantined }).toEqual({ read: names.length, judged: names.length });
    expect(inserted).toBeGreaterThan(0);
    expect(await titleOf("WMM2015")).toBe("World Magnetic Model 2015");
  });

  it("writes nothing when nothing changed", async () => {
    const { outcome, counts } = await run();
    expect({ outcome, ...counts }).toMatchObject({
      outcome: "complete",
      inserted: 0,
      updated: 0,
      withdrawn: 0,
    });
  });

  it("takes one changed record and withdraws the one that is gone, by a complete list", async () => {
    const changed = join(folder, "WMM2015.xml");
    const text = await readFile(changed, "utf8");
    await writeFile(changed, text.replace("World Magnetic Model 2015", "World Magnetic Model, revised"));
    await rm(join(folder, "IGRF-11.xml"));
    const { outcome, counts } = await run();
    expect({ outcome, ...counts }).toMatchObject({
      outcome: "complete",
      inserted: 0,
      updated: 1,
      withdrawn: 1,
    });
    expect(await titleOf("WMM2015")).toBe("World Magnetic Model, revised");
  });
});
