/** Our reading of OAI-PMH against a repository by another author (the PyPI package oai-repo), over real sockets. */
import { mkdir, mkdtemp, rename, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Fault } from "../../harvester/fault.js";
import type { HttpRequest, HttpResponse } from "../../harvester/http.js";
import { oaiPmh } from "../../harvester/protocols/oai-pmh/index.js";
import type { ListQuestion } from "../../harvester/protocols/protocol.js";
import type { PageEnd, RawRecord } from "../../harvester/record.js";
import { transform } from "../../harvester/transform/index.js";
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import { parseManifests } from "../../source/parse.js";
import { canonicalTree } from "../setup/canonical-tree.js";
import { copyRealRecords, peerEnvironment, startPeerRepository, type PeerRepository } from "./setup.js";

const peer = await peerEnvironment();
if (peer.kind === "missing") process.stderr.write(`skipped tests/peers: ${peer.sentence}\n`);

/** Sends as the harvester's client does, without its guards: loopback is what they would refuse. */
async function send(request: HttpRequest): Promise<HttpResponse> {
  const answer = await fetch(request.url, { headers: request.headers });
  const headers = Object.fromEntries(answer.headers);
  const body = answer.body as unknown as AsyncIterable<Uint8Array>;
  return { status: answer.status, headers, url: request.url, body, warnings: [] };
}

function specOf(url: string, prefix: string): HarvestSourceSpec {
  const manifest = [
    "apiVersion: ingest.geoportal.io/v1",
    "kind: HarvestSource",
    "metadata: {name: peer}",
    "spec:",
    `  baseUrl: ${url}`,
    `  metadataPrefix: ${prefix}`,
    '  schedule: "@daily"',
    "  validation: {}",
  ].join("\n");
  const { sources } = parseManifests(manifest, { file: "peer.yaml", named: true });
  return sources[0]!.source.spec;
}

const limits = { maxRecordBytes: 1_000_000, maxPageBytes: 50_000_000 };

interface Page {
  readonly records: readonly RawRecord[];
  readonly end: PageEnd;
}

async function readPage(spec: HarvestSourceSpec, question: Partial<ListQuestion>): Promise<Page> {
  const asked: ListQuestion = { want: "records", window: {}, set: "", granularity: "second", ...question };
  const reader = oaiPmh.list.read(await send(oaiPmh.list.ask(spec, asked)), asked, limits);
  const records: RawRecord[] = [];
  for (;;) {
    const step = await reader.next();
    if (step.done === true) return { records, end: step.value };
    if (step.value.kind === "broken") throw new Error(step.value.violation.message);
    records.push(step.value);
  }
}

async function readAll(spec: HarvestSourceSpec, question: Partial<ListQuestion>): Promise<readonly Page[]> {
  const pages = [await readPage(spec, question)];
  for (let token = pages[0]!.end.token; token !== undefined; token = pages.at(-1)!.end.token) {
    pages.push(await readPage(spec, { ...question, token }));
  }
  return pages;
}

describe.skipIf(peer.kind === "missing")("a repository served by oai-repo", () => {
  const JANUARY = new Date("2024-01-01T00:00:00Z");
  let folder: string;
  let names: readonly string[];
  let repository: PeerRepository;
  let iso: HarvestSourceSpec;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "peer-records-"));
    names = await copyRealRecords(folder);
    await mkdir(join(folder, "quakes"));
    await rename(join(folder, "G01269.xml"), join(folder, "quakes", "G01269.xml"));
    for (const name of names) await utimes(place(name), JANUARY, JANUARY);
    repository = await startPeerRepository({ folder, pageSize: 4 });
    iso = specOf(repository.url, "iso19139");
  });

  afterAll(async () => {
    await repository.stop();
    await rm(folder, { recursive: true });
  });

  function place(name: string): string {
    return name === "G01269" ? join(folder, "quakes", "G01269.xml") : join(folder, `${name}.xml`);
  }

  it("says what it can", async () => {
    const capabilities = await oaiPmh.identify.read(await send(oaiPmh.identify.ask(iso)));
    expect(capabilities).toMatchObject({
      granularity: "second",
      deletedRecord: "no",
      earliest: "2000-01-01T00:00:00Z",
      repositoryName: "Peer repository",
    });
    const { formats, sets } = oaiPmh.inventory;
    expect(await formats.read(await send(formats.ask(iso)))).toEqual(["iso19139", "oai_dc"]);
    expect(await sets.read(await send(sets.ask(iso)))).toEqual({ sets: ["quakes"] });
  });

  it("is read to the end by its tokens, each record once, and all of them map", async () => {
    const pages = await readAll(iso, {});
    const records = pages.flatMap((page) => page.records);
    expect(pages.length).toBe(Math.ceil(names.length / 4));
    expect(pages.map((page) => page.end.listSize)).toEqual(pages.map(() => names.length));
    expect(records.map((record) => record.header.identifier)).toEqual(
      [...names].sort().map((name) => `oai:peer.example:${name}`),
    );
    for (const record of records) {
      expect(record.header.datestamp).toBe("2024-01-01T00:00:00Z");
      expect(transform("iso19139", canonicalTree(record.body!)).kind).toBe("mapped");
    }
  });

  it("gives headers, sets and Dublin Core", async () => {
    const headers = await readAll(iso, { want: "headers" });
    expect(headers.flatMap((page) => page.records).length).toBe(names.length);
    const { records } = await readPage(specOf(repository.url, "oai_dc"), { set: "quakes" });
    expect(records.map((record) => record.header)).toEqual([
      {
        identifier: "oai:peer.example:G01269",
        datestamp: "2024-01-01T00:00:00Z",
        sets: ["quakes"],
        deleted: false,
      },
    ]);
    expect(transform("oai_dc", canonicalTree(records[0]!.body!))).toMatchObject({
      canonical: { title: "1988 Spitak Earthquake Database", identifier: "oai:peer.example:G01269" },
    });
  });

  it("gives one record by its identifier, and nothing for an unknown one", async () => {
    const known = await oaiPmh.get.read(await send(oaiPmh.get.ask(iso, "oai:peer.example:WMM2015")), limits);
    expect(known?.header.identifier).toBe("oai:peer.example:WMM2015");
    const unknown = oaiPmh.get.ask(iso, "oai:peer.example:none");
    expect(await oaiPmh.get.read(await send(unknown), limits)).toBeUndefined();
  });

  it("C34 an empty window is success; a changed record comes in the next", async () => {
    const window = { from: "2024-02-01T00:00:00Z" };
    expect(await readPage(iso, { window })).toMatchObject({ records: [], end: { nothing: true } });
    const march = new Date("2024-03-01T12:00:00Z");
    await utimes(place("WMM2015"), march, march);
    const { records, end } = await readPage(iso, { window });
    expect(records.map((record) => record.header)).toEqual([
      { identifier: "oai:peer.example:WMM2015", datestamp: "2024-03-01T12:00:00Z", sets: [], deleted: false },
    ]);
    expect(end.token).toBeUndefined();
    await utimes(place("WMM2015"), JANUARY, JANUARY);
  });

  it("C11 a token whose list has changed since is token-expired, and the list can be asked anew", async () => {
    const { end } = await readPage(iso, {});
    const april = new Date("2024-04-01T00:00:00Z");
    await utimes(place("EMM2010"), april, april);
    const refused = await readPage(iso, { token: end.token! }).catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(Fault);
    expect((refused as Fault).kind).toBe("token-expired");
    expect((await readPage(iso, {})).records.length).toBe(4);
  });
});
