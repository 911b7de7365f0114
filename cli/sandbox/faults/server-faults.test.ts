import { request } from "node:http";
import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startSandbox, type Sandbox, type ServerFault } from "../sandbox.js";
import { serverFaults, type ServerFaultKind } from "./server-faults.js";

let sandbox: Sandbox;
const tested = new Set<ServerFaultKind>();

beforeAll(async () => {
  const clock = (): number => Date.UTC(2026, 0, 1);
  sandbox = await startSandbox({ source: { kind: "generated", count: 25 }, pageSize: 10, clock });
});
afterAll(async () => {
  await sandbox.close();
});
afterEach(() => {
  sandbox.control.disarm();
});

interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  /** How many times something arrived. */
  readonly pieces: number;
  /** Code of the failure, "aborted" when the connection ended early. */
  readonly failure?: string;
}

/** What really came over the wire; `patience`: milliseconds without a byte until we hang up. */
function ask(query: string, options: { accept?: string; patience?: number } = {}): Promise<Seen> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let head: Pick<Seen, "status" | "headers"> = { status: 0, headers: {} };
    let isDone = false;
    const end = (failure?: string): void => {
      if (isDone) return;
      isDone = true;
      resolve({
        ...head,
        bytes: Buffer.concat(parts),
        pieces: parts.length,
        ...(failure === undefined ? {} : { failure }),
      });
    };
    const sent = request(`${sandbox.url}?verb=${query}`, {
      agent: false,
      headers: { "accept-encoding": options.accept ?? "identity" },
    });
    sent.setTimeout(options.patience ?? 10_000, () => {
      end("timeout");
      sent.destroy();
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      end(error.code);
    });
    sent.on("response", (response) => {
      head = { status: response.statusCode ?? 0, headers: response.headers };
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", (error: NodeJS.ErrnoException) => {
        end(error.code);
      });
      response.on("close", () => {
        end(response.complete ? undefined : "aborted");
      });
    });
    sent.end();
  });
}

function arm(fault: ServerFault): void {
  tested.add(fault.kind);
  sandbox.control.arm(fault);
}

const LIST = "ListRecords&metadataPrefix=oai_dc";

function tokenOf(text: string): string | undefined {
  return /<resumptionToken[^>]*>([^<]*)</.exec(text)?.[1]?.replaceAll("&amp;", "&");
}

async function page(query: string): Promise<string> {
  return (await ask(query)).bytes.toString();
}

async function next(text: string): Promise<string> {
  return page(`ListRecords&resumptionToken=${encodeURIComponent(tokenOf(text)?.trim() ?? "")}`);
}

function ids(text: string): readonly string[] {
  return [...text.matchAll(/record-00000(\d\d)<\/identifier>/g)].map((hit) => hit[1] ?? "");
}

describe("faults instead of an answer", () => {
  const answers: readonly {
    fault: ServerFault;
    status: number;
    header?: readonly [string, string];
    body?: string;
  }[] = [
    { fault: { kind: "status" }, status: 503 },
    { fault: { kind: "status", retryAfter: 120 }, status: 503, header: ["retry-after", "120"] },
    {
      fault: { kind: "status", retryAfter: 3600, retryAfterAs: "date" },
      status: 503,
      header: ["retry-after", "Thu, 01 Jan 2026 01:00:00 GMT"],
    },
    {
      fault: { kind: "status", status: 429, retryAfter: 86_400 },
      status: 429,
      header: ["retry-after", "86400"],
    },
    {
      fault: { kind: "status", retryAfter: 1, retryAfterAs: "junk" },
      status: 503,
      header: ["retry-after", "soon"],
    },
    { fault: { kind: "status", status: 500 }, status: 500 },
    {
      fault: { kind: "status", status: 401 },
      status: 401,
      header: ["www-authenticate", `Basic realm="sandbox"`],
    },
    { fault: { kind: "status", status: 403 }, status: 403 },
    { fault: { kind: "status", status: 404 }, status: 404 },
    { fault: { kind: "redirect" }, status: 302, header: ["location", "/oai?verb=Identify"] },
    {
      fault: { kind: "redirect", status: 301, value: "https://other.example.org/oai" },
      status: 301,
      header: ["location", "https://other.example.org/oai?verb=Identify"],
    },
    {
      fault: { kind: "html-page" },
      status: 200,
      header: ["content-type", "text/html; charset=utf-8"],
      body: "<form",
    },
    { fault: { kind: "empty-body" }, status: 200, header: ["content-length", "0"] },
    {
      fault: { kind: "oai-error", code: "noRecordsMatch", status: 422, retryAfter: 3600 },
      status: 422,
      header: ["retry-after", "3600"],
      body: `<error code="noRecordsMatch">`,
    },
    { fault: { kind: "oai-error", code: "" }, status: 200, body: `<error code="">` },
  ];
  it.each(answers)("$fault.kind $fault.status → $status $header", async ({ fault, status, header, body }) => {
    arm(fault);
    const seen = await ask("Identify");
    expect(seen.status).toBe(status);
    if (header !== undefined) expect(seen.headers[header[0]]).toBe(header[1]);
    expect(seen.bytes.toString()).toContain(body ?? "");
    expect((await ask("Identify")).bytes.toString()).toContain("<repositoryName>");
  });
});

describe("faults on the wire", () => {
  it("C83 reset: an RST after half of the body", async () => {
    arm({ kind: "reset" });
    const seen = await ask(LIST);
    expect(seen.failure).toBe("ECONNRESET");
    expect(seen.bytes.length).toBeLessThan(Number(seen.headers["content-length"]));
  });

  it("C66 truncated-body: fewer bytes than announced, or no last chunk", async () => {
    arm({ kind: "truncated-body", bytes: 500 });
    const short = await ask(LIST);
    expect([short.status, short.bytes.length, short.failure]).toEqual([200, 500, "ECONNRESET"]);
    arm({ kind: "truncated-body", value: "chunked", bytes: 700 });
    const chunked = await ask(LIST);
    expect([chunked.headers["transfer-encoding"], chunked.bytes.length, chunked.failure]).toEqual([
      "chunked",
      700,
      "ECONNRESET",
    ]);
  });

  it("C66 cut-document: complete HTTP, incomplete XML", async () => {
    arm({ kind: "cut-document" });
    const seen = await ask(LIST);
    expect(seen.failure).toBeUndefined();
    expect(seen.bytes.toString()).not.toContain("</OAI-PMH>");
  });

  it("C82 slow-drip: everything comes, in small pieces", async () => {
    arm({ kind: "slow-drip", bytes: 200, pauseMs: 5 });
    const seen = await ask("Identify");
    expect(seen.bytes.toString()).toContain("</OAI-PMH>");
    expect(seen.pieces).toBeGreaterThan(1);
  });

  it("C82 stall: some bytes and then silence; no-answer: silence at once", async () => {
    arm({ kind: "stall", bytes: 300 });
    const stalled = await ask(LIST, { patience: 150 });
    expect([stalled.bytes.length, stalled.failure]).toEqual([300, "timeout"]);
    arm({ kind: "no-answer" });
    expect(await ask(LIST, { patience: 150 })).toMatchObject({ status: 0, failure: "timeout" });
  });

  it("drop-connection: hung up on", async () => {
    arm({ kind: "drop-connection" });
    expect(await ask(LIST)).toMatchObject({ status: 0, failure: "ECONNRESET" });
  });

  it("endless-body: goes on until the limit, and stops when the client goes", async () => {
    arm({ kind: "endless-body", bytes: 3_000_000 });
    const seen = await ask(LIST);
    expect(seen.failure).toBeUndefined();
    expect(seen.bytes.length).toBeGreaterThan(2_900_000);
  });

  it("closing the sandbox does not wait for those who wait", async () => {
    const other = await startSandbox({ source: { kind: "generated", count: 1 } });
    other.control.arm({ kind: "slow-drip", bytes: 1, pauseMs: 10_000 });
    const waiting = fetch(`${other.url}?verb=Identify`)
      .then(async (response) => response.text())
      .catch(() => "cut");
    while (other.control.requests().inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await other.close();
    expect(await waiting).toBe("cut");
  });
});

describe("C72 encodings", () => {
  const encodings: readonly {
    kind: ServerFaultKind;
    says: string | undefined;
    read: (bytes: Buffer) => Buffer;
  }[] = [
    { kind: "gzip-unannounced", says: undefined, read: gunzipSync },
    { kind: "gzip-announced-only", says: "gzip", read: (bytes) => bytes },
    { kind: "x-gzip", says: "x-gzip", read: gunzipSync },
    { kind: "double-gzip", says: "gzip", read: (bytes) => gunzipSync(gunzipSync(bytes)) },
    { kind: "deflate", says: "deflate", read: inflateSync },
    { kind: "raw-deflate", says: "deflate", read: inflateRawSync },
  ];
  it.each(encodings)("$kind says $says", async ({ kind, says, read }) => {
    arm({ kind });
    const seen = await ask(LIST);
    expect(seen.headers["content-encoding"]).toBe(says);
    expect(read(seen.bytes).toString()).toContain("</OAI-PMH>");
  });

  it("truncated-gzip ends in the middle of the stream", async () => {
    arm({ kind: "truncated-gzip" });
    const seen = await ask(LIST);
    expect([seen.failure, seen.headers["content-encoding"]]).toEqual([undefined, "gzip"]);
    expect(() => gunzipSync(seen.bytes)).toThrow("unexpected end of file");
  });
});

describe("faults of the document", () => {
  const documents: readonly {
    fault: ServerFault;
    query?: string;
    starts?: string;
    holds?: string;
    lacks?: string;
  }[] = [
    { fault: { kind: "doctype" }, holds: "<!DOCTYPE OAI-PMH [<!ENTITY" },
    { fault: { kind: "byte-order-mark" }, starts: "\u00EF\u00BB\u00BF<?xml" },
    { fault: { kind: "blank-line-first" }, starts: "\n<?xml" },
    {
      fault: { kind: "prefixed-envelope" },
      holds: `<oai:OAI-PMH xmlns:oai="http://www.openarchives.org/OAI/2.0/"`,
      lacks: "<record>",
    },
    { fault: { kind: "no-schema-location" }, query: "Identify", lacks: "schemaLocation" },
    { fault: { kind: "malformed-record" }, holds: "<unclosed></oai_dc:dc>" },
    { fault: { kind: "odd-datestamps" }, holds: "<datestamp>2023-01-01T00:00:00.123Z</datestamp>" },
    {
      fault: { kind: "odd-datestamps", value: "offset" },
      holds: "<datestamp>2023-01-01T00:00:00.123+02:00</datestamp>",
    },
    { fault: { kind: "odd-datestamps", value: "empty" }, holds: "<datestamp></datestamp>" },
    { fault: { kind: "wrong-list-size" }, holds: `completeListSize="abc"` },
    { fault: { kind: "wrong-list-size", value: "2" }, holds: `completeListSize="2"` },
    { fault: { kind: "wrong-list-size", value: "" }, lacks: "completeListSize" },
    {
      fault: { kind: "earliest-datestamp" },
      query: "Identify",
      holds: "<earliestDatestamp>0000-00-00</earliestDatestamp>",
    },
    { fault: { kind: "base-url" }, query: "Identify", holds: "<baseURL>http://localhost:8080/oai</baseURL>" },
    {
      fault: { kind: "deleted-record", value: "transient" },
      query: "Identify",
      holds: "<deletedRecord>transient<",
    },
    {
      fault: { kind: "granularity", value: "YYYY-MM-DD" },
      query: "Identify",
      holds: "<granularity>YYYY-MM-DD<",
    },
    { fault: { kind: "ignores-from" }, query: `${LIST}&from=2030-01-01`, holds: "record-0000000<" },
    { fault: { kind: "list-cut-short" }, holds: `<resumptionToken completeListSize="25" cursor="0"/>` },
  ];
  it.each(documents)("$fault.kind $fault.value", async ({ fault, query, starts, holds, lacks }) => {
    arm(fault);
    const text = (await ask(query ?? LIST)).bytes.toString("latin1");
    expect(text.startsWith(starts ?? "<?xml")).toBe(true);
    expect(text).toContain(holds ?? "");
    if (lacks !== undefined) expect(text).not.toContain(lacks);
  });

  it("malformed-record breaks the one asked for, and only its markup", async () => {
    arm({ kind: "malformed-record", record: 3 });
    const records = (await page(LIST)).split("</record>");
    expect(records.map((record) => record.includes("<unclosed>")).indexOf(true)).toBe(2);
    expect(records.filter((record) => record.includes("<unclosed>"))).toHaveLength(1);
  });

  it("C70 huge-record makes one record huge, still well-formed", async () => {
    arm({ kind: "huge-record", bytes: 2_000_000, record: 1 });
    const [first = "", second = ""] = (await page(LIST)).split("</record>");
    expect(first.length).toBeGreaterThan(1_990_000);
    expect(second.length).toBeLessThan(4_000);
  });

  it("C56 wrong-charset: Latin-1 bytes that are no UTF-8", async () => {
    arm({ kind: "wrong-charset" });
    const { bytes } = await ask(LIST);
    expect(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)).toThrow();
    expect(bytes.toString("latin1")).toContain("é");
  });

  it("content-type", async () => {
    arm({ kind: "content-type", value: "application/json" });
    expect((await ask(LIST)).headers["content-type"]).toBe("application/json");
  });
});

describe("faults of a list", () => {
  it("C04 repeated-token: the same page and the same token for ever", async () => {
    arm({ kind: "repeated-token", times: 0 });
    const second = await next(await page(LIST));
    const third = await next(second);
    expect(ids(second)[0]).toBe("10");
    expect([ids(third), tokenOf(third)]).toEqual([ids(second), tokenOf(second)]);
  });

  it("C06 wrap-around: after the last page comes the first", async () => {
    arm({ kind: "wrap-around", times: 0 });
    const last = await next(await next(await page(LIST)));
    expect(ids(last)[0]).toBe("20");
    expect(ids(await next(last))[0]).toBe("00");
  });

  it("C07 trailing-token leads to noRecordsMatch", async () => {
    arm({ kind: "trailing-token", times: 0 });
    const last = await next(await next(await page(LIST)));
    expect(await next(last)).toContain(`<error code="noRecordsMatch">`);
  });

  it("empty-page keeps the records back, and delivers them on its token", async () => {
    arm({ kind: "empty-page" });
    const empty = await page(LIST);
    expect(ids(empty)).toEqual([]);
    expect(ids(await next(empty))[0]).toBe("00");
  });

  it("C94 page-overlap: the last record comes again", async () => {
    arm({ kind: "page-overlap" });
    const first = await page(LIST);
    expect([ids(first).at(-1), ids(await next(first))[0]]).toEqual(["09", "09"]);
  });

  it("C11 expired-token strikes tokens only", async () => {
    arm({ kind: "expired-token", times: 2 });
    const first = await page(LIST);
    expect(await next(first)).toContain(`<error code="badResumptionToken">`);
    expect(ids(await next(first))[0]).toBe("10");
  });

  it("C03 zero-token, C02 spaced-token, C09 awkward-token all lead on", async () => {
    arm({ kind: "zero-token", page: 1 });
    const zero = await page(LIST);
    expect(tokenOf(zero)).toBe("0");
    expect(ids(await next(zero))[0]).toBe("10");
    arm({ kind: "spaced-token", page: 1 });
    const spaced = await page(LIST);
    expect(tokenOf(spaced)).toMatch(/^\n {6}\S+\n {3}$/);
    expect(ids(await next(spaced))[0]).toBe("10");
    arm({ kind: "awkward-token", page: 1 });
    const awkward = await page(LIST);
    expect(tokenOf(awkward)).toContain("a+b/c== d&e#f|");
    expect(ids(await next(awkward))[0]).toBe("10");
  });

  it("C13 token-needs-prefix refuses the bare token and takes the one with a prefix", async () => {
    const first = await page(LIST);
    arm({ kind: "token-needs-prefix", times: 0 });
    expect(await next(first)).toContain(`<error code="badArgument">`);
    const token = encodeURIComponent(tokenOf(first) ?? "");
    expect(ids(await page(`ListRecords&metadataPrefix=oai_dc&resumptionToken=${token}`))[0]).toBe("10");
  });

  it("C18 poison-record kills every page it is on, and GetRecord; its header can be had", async () => {
    const value = "oai:sandbox.example.org:record-0000013";
    arm({ kind: "poison-record", value, times: 0 });
    const first = await page(LIST);
    expect(ids(first)).toHaveLength(10);
    const token = encodeURIComponent(tokenOf(first) ?? "");
    expect((await ask(`ListRecords&resumptionToken=${token}`)).status).toBe(500);
    expect((await ask(`GetRecord&metadataPrefix=oai_dc&identifier=${value}`)).status).toBe(500);
    expect(await page("ListIdentifiers&metadataPrefix=oai_dc&from=2023-01-03&until=2023-01-03")).toContain(
      value,
    );
    expect((await ask(`${LIST}&from=2023-01-04`)).status).toBe(200);
  });

  it("C32 list-too-large lets small windows through", async () => {
    arm({ kind: "list-too-large", value: "5", times: 0 });
    expect((await ask(LIST)).status).toBe(413);
    expect(ids(await page(`${LIST}&until=2023-01-01`))).toEqual(["00", "01", "02"]);
  });

  it("C29 refuses-future takes no until ahead of its clock", async () => {
    arm({ kind: "refuses-future", times: 0 });
    expect(await page(`${LIST}&until=2026-01-02`)).toContain(`<error code="badArgument">`);
    expect(await page(`${LIST}&until=2025-12-31`)).toContain("<record>");
  });

  it("a fault can be aimed at one page", async () => {
    arm({ kind: "status", status: 502, page: 2, verb: "ListRecords", times: 0 });
    const first = await page(LIST);
    expect(
      (await ask(`ListRecords&resumptionToken=${encodeURIComponent(tokenOf(first) ?? "")}`)).status,
    ).toBe(502);
    expect((await ask("Identify")).status).toBe(200);
  });
});

it("no fault of the list was left untested", () => {
  expect(serverFaults.map((each) => each.kind).filter((kind) => !tested.has(kind))).toEqual([]);
});
