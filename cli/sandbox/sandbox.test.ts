import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parseXml } from "../../harvester/xml/parse.js";
import { compileSchema } from "../../harvester/xml/schema.js";
import { startSandbox, type Sandbox, type SandboxOptions } from "./sandbox.js";

let running: Sandbox | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function start(
  options: Partial<SandboxOptions> & { count?: number; deleted?: number } = {},
): Promise<Sandbox> {
  const { count = 25, deleted, ...rest } = options;
  const source = { kind: "generated", count, ...(deleted === undefined ? {} : { deleted }) } as const;
  running = await startSandbox({ source, pageSize: 10, ...rest });
  return running;
}

async function ask(query: string | Record<string, string>): Promise<string> {
  const response = await fetch(`${running!.url}?${new URLSearchParams(query).toString()}`);
  return response.text();
}

const PREFIX = "oai:sandbox.example.org:record-";

function numbers(page: string): readonly number[] {
  return [...page.matchAll(/<identifier>oai:sandbox\.example\.org:record-(\d{7})<\/identifier>/g)].map(
    (hit) => Number(hit[1]),
  );
}

function tokenOf(page: string): string | undefined {
  const text = /<resumptionToken[^>]*>([^<]+)<\/resumptionToken>/.exec(page)?.[1];
  return text?.replaceAll("&amp;", "&");
}

function errorOf(page: string): string | undefined {
  return /<error code="(\w*)"/.exec(page)?.[1];
}

interface Listed {
  readonly pages: readonly (readonly number[])[];
  readonly all: readonly number[];
  readonly last: string;
}

async function list(query: string, between: (page: number) => void = () => undefined): Promise<Listed> {
  const pages: (readonly number[])[] = [];
  let last = await ask(`verb=ListIdentifiers&${query}`);
  for (;;) {
    pages.push(numbers(last));
    const token = tokenOf(last);
    if (token === undefined || pages.length > 50) return { pages, all: pages.flat(), last };
    between(pages.length);
    last = await ask({ verb: "ListIdentifiers", resumptionToken: token });
  }
}

function upTo(n: number): readonly number[] {
  return Array.from({ length: n }, (_, i) => i);
}

describe("lists", () => {
  it("deliver every record once, in pages, and end with an empty token", async () => {
    await start();
    const { pages, all, last } = await list("metadataPrefix=iso19139");
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(all).toEqual(upTo(25));
    expect(last).toContain(`<resumptionToken completeListSize="25" cursor="20"/>`);
  });

  it("of one page carry no token at all, and a full last page ends the list", async () => {
    await start({ count: 10 });
    expect(await ask("verb=ListRecords&metadataPrefix=oai_dc")).not.toContain("resumptionToken");
    await running!.close();
    await start({ count: 20 });
    expect((await list("metadataPrefix=oai_dc")).pages.map((page) => page.length)).toEqual([10, 10]);
  });

  it("are filtered by set, sub-sets included, and count what they hold", async () => {
    await start({ count: 300, pageSize: 1000 });
    const water = await list("metadataPrefix=oai_dc&set=water");
    const parts = await Promise.all(
      ["hydrography", "bathymetry", "tides"].map(async (name) =>
        list(`metadataPrefix=oai_dc&set=water:${name}`),
      ),
    );
    expect([...parts.flatMap((part) => part.all)].sort((a, b) => a - b)).toEqual(
      [...water.all].sort((a, b) => a - b),
    );
    expect(parts.every((part) => part.all.length > 5)).toBe(true);
    running!.control.setPageSize(7);
    const first = await ask("verb=ListIdentifiers&metadataPrefix=oai_dc&set=water");
    expect(first).toContain(`completeListSize="${String(water.all.length)}"`);
  });

  it("are filtered by from and until, both inclusive, in seconds and in days", async () => {
    await start({ count: 100, pageSize: 1000 });
    const page = await ask("verb=ListIdentifiers&metadataPrefix=oai_dc");
    const stamps = [...page.matchAll(/<datestamp>([^<]*)</g)].map((hit) => hit[1] ?? "");
    expect(stamps[0]).toBe("2023-01-01T00:00:00Z");
    expect(stamps[1]).toBe("2023-01-01T16:40:00Z");
    const window = `metadataPrefix=oai_dc&from=${stamps[10]!}&until=${stamps[20]!}`;
    expect((await list(window)).all).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect((await list(`metadataPrefix=oai_dc&from=${stamps[5]!}&until=${stamps[5]!}`)).all).toEqual([5]);
    const day = await list("metadataPrefix=oai_dc&from=2023-01-01&until=2023-01-01");
    expect(day.all).toEqual([0, 1, 2]);
  });

  it("say noRecordsMatch when nothing does", async () => {
    await start();
    expect(errorOf(await ask("verb=ListRecords&metadataPrefix=oai_dc&from=2040-01-01"))).toBe(
      "noRecordsMatch",
    );
    expect(errorOf(await ask("verb=ListRecords&metadataPrefix=oai_dc&until=1999-01-01"))).toBe(
      "noRecordsMatch",
    );
    expect(errorOf(await ask("verb=ListRecords&metadataPrefix=oai_dc&set=nowhere"))).toBe("noRecordsMatch");
  });

  it("lose nothing and repeat nothing unchanged while records change under them", async () => {
    const { control } = await start({ count: 30 });
    const { all } = await list("metadataPrefix=oai_dc", (page) => {
      if (page !== 1) return;
      control.change(3);
      control.change(25);
      control.delete(28);
      control.add();
    });
    expect([...all].sort((a, b) => a - b)).toEqual([...upTo(31), 3].sort((a, b) => a - b));
    expect(all.slice(-4)).toEqual([3, 25, 28, 30]);
  });

  it("of a million records begin at once", async () => {
    await start({ count: 1_000_000, pageSize: 100 });
    const page = await ask("verb=ListRecords&metadataPrefix=oai_dc&from=2024-11-01");
    expect(page).toContain(`<datestamp>2024-11-01T00:`);
    expect(numbers(page)).toHaveLength(100);
    expect(process.memoryUsage().heapUsed).toBeLessThan(400_000_000);
  });
});

describe("errors that need a repository", () => {
  const cases: readonly { query: string; code: string; options?: Partial<SandboxOptions> }[] = [
    { query: "verb=ListRecords&metadataPrefix=marc21", code: "cannotDisseminateFormat" },
    {
      query: `verb=GetRecord&metadataPrefix=marc21&identifier=${PREFIX}0000001`,
      code: "cannotDisseminateFormat",
    },
    { query: "verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:elsewhere:1", code: "idDoesNotExist" },
    { query: `verb=GetRecord&metadataPrefix=oai_dc&identifier=${PREFIX}0000025`, code: "idDoesNotExist" },
    { query: "verb=ListMetadataFormats&identifier=x", code: "idDoesNotExist" },
    { query: "verb=ListRecords&resumptionToken=forged", code: "badResumptionToken" },
    { query: "verb=ListSets&resumptionToken=sets-99", code: "badResumptionToken" },
    { query: "verb=ListSets", code: "noSetHierarchy", options: { sets: false } },
    {
      query: "verb=ListRecords&metadataPrefix=oai_dc&set=water",
      code: "noSetHierarchy",
      options: { sets: false },
    },
    {
      query: "verb=ListRecords&metadataPrefix=iso19139",
      code: "cannotDisseminateFormat",
      options: { formats: ["oai_dc"] },
    },
  ];
  it.each(cases)("$query is $code", async ({ query, code, options }) => {
    await start(options);
    expect(errorOf(await ask(query))).toBe(code);
  });

  it("echo no arguments after badVerb and badArgument, and all of them after the others", async () => {
    await start();
    expect(await ask("verb=ListRecords&from=x")).toContain(`<request>${running!.url}</request>`);
    expect(await ask("verb=ListRecords&metadataPrefix=a%22b")).toContain(`metadataPrefix="a&quot;b"`);
  });
});

describe("tokens", () => {
  it("that expire say when, and are refused afterwards; forged and foreign ones too", async () => {
    let now = Date.UTC(2026, 0, 1);
    await start({ tokens: { kind: "expiring", lifetimeSeconds: 60 }, clock: () => now });
    const first = await ask("verb=ListRecords&metadataPrefix=oai_dc");
    expect(first).toContain(`expirationDate="2026-01-01T00:01:00Z"`);
    const token = tokenOf(first)!;
    expect(numbers(await ask({ verb: "ListRecords", resumptionToken: token }))[0]).toBe(10);
    expect(numbers(await ask({ verb: "ListRecords", resumptionToken: token }))[0]).toBe(10);
    expect(errorOf(await ask({ verb: "ListIdentifiers", resumptionToken: token }))).toBe(
      "badResumptionToken",
    );
    now += 61_000;
    expect(errorOf(await ask({ verb: "ListRecords", resumptionToken: token }))).toBe("badResumptionToken");
  });

  it("of a server that restarted are gone", async () => {
    const { control } = await start({ tokens: { kind: "expiring", lifetimeSeconds: 60 } });
    const token = tokenOf(await ask("verb=ListRecords&metadataPrefix=oai_dc"))!;
    control.forgetTokens();
    expect(errorOf(await ask({ verb: "ListRecords", resumptionToken: token }))).toBe("badResumptionToken");
  });

  it("without state outlive the server", async () => {
    await start();
    const token = tokenOf(await ask("verb=ListRecords&metadataPrefix=oai_dc"))!;
    await running!.close();
    await start();
    expect(numbers(await ask({ verb: "ListRecords", resumptionToken: token }))[0]).toBe(10);
  });

  it("of ListSets lead through all sets", async () => {
    await start();
    const first = await ask("verb=ListSets");
    const second = await ask({ verb: "ListSets", resumptionToken: tokenOf(first)! });
    const third = await ask({ verb: "ListSets", resumptionToken: tokenOf(second)! });
    const specs = [first, second, third].flatMap((page) =>
      [...page.matchAll(/<setSpec>([^<]*)/g)].map((hit) => hit[1]),
    );
    expect(specs).toHaveLength(24);
    expect(new Set(specs).size).toBe(24);
    expect(tokenOf(third)).toBeUndefined();
  });
});

describe("changes", () => {
  async function record(index: number): Promise<string> {
    return ask(`verb=GetRecord&metadataPrefix=iso19139&identifier=${running!.control.identifierOf(index)}`);
  }

  it("get the server's time as datestamp; touch keeps the content, change does not", async () => {
    const { control } = await start({ clock: () => Date.UTC(2026, 4, 6, 7, 8, 9) });
    const metadata = /<metadata>.*<\/metadata>/s;
    const before = await record(4);
    control.touch(4);
    const touched = await record(4);
    control.change(4);
    const changed = await record(4);
    expect(touched).toContain("<datestamp>2026-05-06T07:08:09Z</datestamp>");
    expect(metadata.exec(touched)?.[0]).toBe(metadata.exec(before)?.[0]);
    expect(metadata.exec(changed)?.[0]).not.toBe(metadata.exec(before)?.[0]);
    expect((await list("metadataPrefix=oai_dc&from=2026-05-06T07:08:09Z")).all).toEqual([4]);
  });

  const policies = [
    { deletedRecord: "persistent", listed: [6], headers: `status="deleted"`, get: undefined },
    { deletedRecord: "transient", listed: [6], headers: `status="deleted"`, get: undefined },
    { deletedRecord: "no", listed: [], headers: "", get: "idDoesNotExist" },
  ] as const;
  it.each(policies)("deletions under $deletedRecord", async ({ deletedRecord, listed, headers, get }) => {
    const { control } = await start({ deletedRecord });
    control.delete(6);
    const recent = await ask("verb=ListRecords&metadataPrefix=oai_dc&from=2025-01-01");
    expect(numbers(recent)).toEqual(listed);
    expect(recent).toContain(headers);
    expect(recent).not.toContain("<metadata>");
    expect(errorOf(await record2(6))).toBe(get);
    expect((await list("metadataPrefix=oai_dc")).all).toHaveLength(24 + listed.length);
  });

  async function record2(index: number): Promise<string> {
    return ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${PREFIX}${String(index).padStart(7, "0")}`);
  }

  it("C46 a transient repository forgets its tombstones", async () => {
    const { control } = await start({ deletedRecord: "transient", count: 5 });
    control.delete(2);
    control.forgetTombstones();
    expect((await list("metadataPrefix=oai_dc")).all).toEqual([0, 1, 3, 4]);
  });

  it("C45 a record removed without trace is in no list, and a deleted one can come back", async () => {
    const { control } = await start({ count: 5 });
    control.remove(1);
    control.delete(2);
    control.change(2);
    const { all, last } = await list("metadataPrefix=oai_dc");
    expect(all).toEqual([0, 3, 4, 2]);
    expect(last).not.toContain("deleted");
    expect(() => control.change(1)).toThrow("The sandbox holds no record number 1.");
  });

  it("C50 a record can move to another set", async () => {
    const { control } = await start({ count: 5 });
    control.change(3, { sets: ["moved:here"] });
    expect((await list("metadataPrefix=oai_dc&set=moved")).all).toEqual([3]);
  });

  it("C32 a reindex stamps everything anew and changes nothing", async () => {
    const { control } = await start({ count: 15 });
    control.touchAll({ stamp: Date.UTC(2026, 0, 1) / 1000 });
    expect((await list("metadataPrefix=oai_dc&from=2026-01-01&until=2026-01-01")).all).toHaveLength(15);
    expect(errorOf(await ask("verb=ListRecords&metadataPrefix=oai_dc&until=2025-01-01"))).toBe(
      "noRecordsMatch",
    );
  });

  it("C99 every record gets another identifier, the content stays", async () => {
    const { control } = await start({ count: 3 });
    control.renameIdentifiers("oai:old.example.org:");
    expect(await ask("verb=ListIdentifiers&metadataPrefix=oai_dc")).toContain(
      "oai:old.example.org:record-0000002",
    );
    expect(errorOf(await record2(2))).toBe("idDoesNotExist");
  });

  it("take a body and a name of their own", async () => {
    const { control } = await start({ count: 3 });
    const identifier = control.add({ localName: "mine", body: "<x xmlns='urn:x'>hello</x>" });
    expect(identifier).toBe("oai:sandbox.example.org:mine");
    expect(await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${identifier}`)).toContain(
      "<x xmlns='urn:x'>hello</x>",
    );
  });

  it("break and repair one record", async () => {
    const { control } = await start({ count: 3 });
    control.change(1, { fault: "bbox-swapped" });
    expect(await record(1)).toContain(">-96.1<");
    control.change(1, { fault: null });
    expect(await record(1)).not.toContain(">-96.1<");
  });
});

describe("the server", () => {
  it("counts requests, and how many were in flight", async () => {
    const { control } = await start();
    await ask("verb=Identify");
    await ask("verb=ListRecords&metadataPrefix=oai_dc");
    const log = control.requests();
    expect([log.count, log.inFlight, log.maxInFlight]).toEqual([2, 0, 1]);
    expect(log.last.map((each) => [each.query, each.status])).toEqual([
      ["verb=Identify", 200],
      ["verb=ListRecords&metadataPrefix=oai_dc", 200],
    ]);
    expect(log.last[0]?.headers["accept-encoding"]).toContain("gzip");
    control.arm({ kind: "slow-drip", times: 3, bytes: 400, pauseMs: 20 });
    await Promise.all([ask("verb=Identify"), ask("verb=Identify"), ask("verb=Identify")]);
    expect(control.requests().maxInFlight).toBe(3);
    control.clearRequests();
    expect(control.requests()).toMatchObject({ count: 0, last: [] });
  });

  it("compresses only when asked, and takes POST forms", async () => {
    const { url } = await start();
    const zipped = await fetch(`${url}?verb=Identify`, { headers: { "accept-encoding": "gzip" } });
    const plain = await fetch(`${url}?verb=Identify`, { headers: { "accept-encoding": "identity" } });
    const refused = await fetch(`${url}?verb=Identify`, { headers: { "accept-encoding": "gzip;q=0" } });
    expect([zipped, plain, refused].map((each) => each.headers.get("content-encoding"))).toEqual([
      "gzip",
      null,
      null,
    ]);
    expect(await zipped.text()).toContain("<repositoryName>");
    const posted = await fetch(url, { method: "POST", body: new URLSearchParams({ verb: "Identify" }) });
    expect(await posted.text()).toContain("<protocolVersion>2.0</protocolVersion>");
    expect((await fetch(url, { method: "PUT", body: "x" })).status).toBe(405);
  });

  it("tells day granularity and a clock that runs ahead", async () => {
    const { control } = await start({ granularity: "day", clock: () => Date.UTC(2026, 0, 1) });
    control.setClockOffset(-600);
    const identify = await ask("verb=Identify");
    expect(identify).toContain("<granularity>YYYY-MM-DD</granularity>");
    expect(identify).toContain("<earliestDatestamp>2023-01-01</earliestDatestamp>");
    expect(identify).toContain("<responseDate>2025-12-31T23:50:00Z</responseDate>");
    expect(
      await ask("verb=ListIdentifiers&metadataPrefix=oai_dc&from=2023-01-02&until=2023-01-02"),
    ).toContain("<datestamp>2023-01-02</datestamp>");
  });

  it("answers that validate against the envelope schema, errors included", async () => {
    const file = "schemas/oai-pmh.xsd";
    const compiled = compileSchema(
      new Map([[file, readFileSync(join(import.meta.dirname, "../..", file))]]),
      file,
    );
    if (compiled.kind === "broken") throw new Error(JSON.stringify(compiled.problems));
    const { control } = await start({
      deleted: 5,
      provenance: true,
      tokens: { kind: "expiring", lifetimeSeconds: 60 },
    });
    control.delete(3);
    const token = encodeURIComponent(tokenOf(await ask("verb=ListRecords&metadataPrefix=oai_dc")) ?? "");
    const queries = [
      ...[
        "Identify",
        "ListMetadataFormats",
        "ListSets",
        "ListSets&resumptionToken=sets-10",
        "Nothing",
        "GetRecord",
      ],
      ...[
        "ListRecords&metadataPrefix=iso19139",
        "ListIdentifiers&metadataPrefix=oai_dc&set=water:tides&from=2023-01-01",
      ],
      ...[
        `ListRecords&resumptionToken=${token}`,
        "ListRecords&resumptionToken=x",
        "ListRecords&metadataPrefix=none",
      ],
      ...[
        `GetRecord&metadataPrefix=oai_dc&identifier=${PREFIX}0000003`,
        `GetRecord&metadataPrefix=iso19139&identifier=${PREFIX}0000009`,
      ],
      ...[
        "ListRecords&metadataPrefix=oai_dc&until=1990-01-01",
        "GetRecord&metadataPrefix=oai_dc&identifier=x",
        "ListRecords&from=%0B",
      ],
      `ListMetadataFormats&identifier=${PREFIX}0000009`,
    ];
    for (const query of queries) {
      const parsed = parseXml(Buffer.from(await ask(`verb=${query}`)));
      if (parsed.kind === "broken") throw new Error(`${query}: ${JSON.stringify(parsed.problems)}`);
      expect(compiled.schema.validate(parsed.document, 3), query).toEqual([]);
      parsed.document.dispose();
    }
  });
});
