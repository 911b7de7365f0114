/** Section E of the case log, end to end: XML, encodings and bodies that are not what they should be. */
import { describe, expect, it } from "vitest";
import { START } from "./scene.js";
import { stage, table } from "./stage.js";

const open = stage();
const whole = { outcome: "complete", exitCode: 0 } as const;
const mended = { expect: whole, watermark: START, alive: 30 };

describe("answers that are odd but whole", () => {
  table(open, [
    {
      // Sixteen of the thirty hold a letter outside ASCII: nobody guesses what it was.
      name: "C56 Latin-1 bytes under a label of UTF-8 cost the records that hold them, nothing else",
      arm: { kind: "wrong-charset", times: 0 },
      expect: { ...whole, refusedBy: { "envelope/invalid-utf8": 16 } },
      watermark: START,
      alive: 14,
    },
    { name: "C57 a byte-order mark", arm: { kind: "byte-order-mark", times: 0 }, ...mended },
    {
      name: "C57 a blank line before the XML declaration",
      arm: { kind: "blank-line-first", times: 0 },
      ...mended,
    },
    { name: "C62 an envelope with a prefix", arm: { kind: "prefixed-envelope", times: 0 }, ...mended },
    { name: "C64 no schemaLocation", arm: { kind: "no-schema-location", times: 0 }, ...mended },
    { name: "C65 OAI labelled text/html is OAI", arm: { kind: "content-type", times: 0 }, ...mended },
    { name: "C72 gzip without a label", arm: { kind: "gzip-unannounced", times: 0 }, ...mended },
    { name: "C72 plain text labelled gzip", arm: { kind: "gzip-announced-only", times: 0 }, ...mended },
    { name: "C72 gzip labelled x-gzip", arm: { kind: "x-gzip", times: 0 }, ...mended },
    { name: "C72 gzip of gzip, labelled once", arm: { kind: "double-gzip", times: 0 }, ...mended },
    { name: "C72 zlib labelled deflate", arm: { kind: "deflate", times: 0 }, ...mended },
    { name: "C72 raw deflate labelled deflate", arm: { kind: "raw-deflate", times: 0 }, ...mended },
    {
      name: "C69 a page of exactly one record",
      sandbox: { pageSize: 1 },
      count: 3,
      arm: [],
      expect: whole,
      watermark: START,
      alive: 3,
    },
    {
      name: "an empty page with a token for more is passed over",
      arm: { kind: "empty-page", verb: "ListRecords", page: 2 },
      ...mended,
    },
  ]);
});

describe("law 2: one bad record costs one record", () => {
  table(open, [
    {
      name: "C60 C136 broken markup in the middle of a page",
      arm: { kind: "malformed-record", verb: "ListRecords", page: 2 },
      expect: { ...whole, counts: { quarantined: 1, inserted: 29 } as never },
      watermark: START,
      alive: 29,
    },
    {
      name: "C70 a record of 20 MB",
      arm: { kind: "huge-record", verb: "ListRecords", page: 2 },
      spec: { limits: { maxRecordBytes: 1_000_000 } },
      expect: { ...whole, counts: { quarantined: 1, inserted: 29 } as never },
      watermark: START,
      alive: 29,
    },
  ]);

  it("C54 C56 C59 C60 C67 C136 twelve broken records of thirty cost twelve, each with its reason, and heal", async () => {
    const { run, control, clock, peek } = await open({
      sandbox: { source: { kind: "generated", count: 30, faulty: 12 } },
    });
    const first = await run();
    expect(first).toMatchObject(whole);
    expect(first.counts.inserted + first.counts.quarantined).toBe(30);
    const { alive } = await peek();
    expect(alive).toBe(first.counts.inserted);
    clock.advance(3600);
    for (let i = 0; i < 30; i++) control.change(i, { fault: null });
    const second = await run();
    expect(second).toMatchObject({ ...whole, counts: { quarantined: 0, healed: first.counts.quarantined } });
    expect((await peek()).alive).toBe(30);
  });

  it("C67 a record with a DOCTYPE is refused as such, and nothing outside is read", async () => {
    const { run } = await open({
      sandbox: { source: { kind: "generated", count: 30, faulty: 1, faultNames: ["doctype"] } },
    });
    const ran = await run();
    expect(ran).toMatchObject({ ...whole, counts: { inserted: 29, quarantined: 1 } });
    expect(Object.keys(ran.refusedBy)).toEqual(["envelope/doctype-forbidden"]);
  });

  it("a record refused before is not judged again while its bytes and the rules stay", async () => {
    const { run, control, clock } = await open({
      sandbox: { source: { kind: "generated", count: 30, faulty: 1, faultNames: ["missing-title"] } },
    });
    expect((await run()).counts.quarantined).toBe(1);
    clock.advance(3600);
    control.touchAll();
    expect((await run()).counts).toMatchObject({ quarantined: 0, stillQuarantined: 1, unchanged: 29 });
  });
});

describe("answers that end a run", () => {
  const never = { alive: 0 } as const;
  table(open, [
    {
      name: "C65 a login page under HTTP 200 is no empty repository",
      arm: { kind: "html-page", after: 1, times: 0 },
      expect: { outcome: "failed", exitCode: 75, code: "NotOai" },
      ...never,
    },
    {
      name: "C65 a login page for Identify, too",
      arm: { kind: "html-page", times: 0 },
      expect: {
        outcome: "failed",
        exitCode: 75,
        code: "NotOai",
        verbs: ["Identify", "Identify", "Identify"],
      },
      ...never,
    },
    {
      name: "an empty body under HTTP 200 is no empty repository",
      arm: { kind: "empty-body", times: 0 },
      expect: { outcome: "failed", exitCode: 75, code: "EmptyBody" },
      ...never,
    },
    {
      name: "C67 a DOCTYPE before the envelope is refused",
      arm: { kind: "doctype", times: 0 },
      expect: { outcome: "failed", exitCode: 65, code: "DoctypeForbidden" },
      ...never,
    },
    {
      name: "C66 pages that end in the middle, every one, are no pages, and the source is soon left alone",
      arm: { kind: "cut-document", verb: "ListRecords", times: 0 },
      expect: { outcome: "partial", exitCode: 75, code: "Truncated" },
      // GetRecord works: the first records were had alone, or whole before a cut, when the source was given up.
      alive: 4,
    },
    {
      name: "C70 a body of 10 GB ends at the page limit",
      arm: { kind: "endless-body", verb: "ListRecords", times: 0 },
      sandbox: { gzip: false },
      spec: { limits: { maxPageBytes: 300_000, maxRecordBytes: 100_000 } },
      expect: { outcome: "partial", exitCode: 65, code: "AnswerTooLarge" },
      // The whole records of the first half of the page, which came before the flood.
      alive: 4,
    },
  ]);
});

describe("C66 C72 C83 answers that break off are asked for again", () => {
  const once = { verb: "ListRecords", page: 2 } as const;
  table(open, [
    { name: "C66 fewer bytes than announced", arm: { kind: "truncated-body", ...once }, ...mended },
    { name: "C66 no last chunk", arm: { kind: "truncated-body", value: "chunked", ...once }, ...mended },
    { name: "C66 the document ends in the middle", arm: { kind: "cut-document", ...once }, ...mended },
    { name: "C72 gzip that ends in the middle", arm: { kind: "truncated-gzip", ...once }, ...mended },
    { name: "C83 a reset in the middle", arm: { kind: "reset", ...once }, ...mended },
    {
      name: "C83 a connection closed without an answer",
      arm: { kind: "drop-connection", ...once },
      ...mended,
    },
    { name: "C65 a login page once", arm: { kind: "html-page", ...once }, ...mended },
  ]);
});
