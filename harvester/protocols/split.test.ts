import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fault } from "../fault.js";
import {
  ForeignDocument,
  type Envelope,
  type PageShape,
  type Slice,
  type SplitLimits,
} from "./page-shape.js";
import { chunked, headerText, listRecords, oaiDocument, recordText } from "./saved-answer.js";
import { splitPage } from "./split.js";

const shape: PageShape = {
  root: "OAI-PMH",
  containers: { ListRecords: { item: "record", leading: ["header", "identifier"] } },
  tail: "resumptionToken",
};
const generous: SplitLimits = {
  maxRecordBytes: 1_000_000,
  maxPageBytes: 10_000_000,
  maxEnvelopeBytes: 100_000,
};

interface Cut {
  readonly slices: readonly string[];
  readonly envelope: string;
  readonly result: Envelope;
}

function shown(slice: Slice): string {
  const text = Buffer.from(slice.bytes).toString("utf8");
  return slice.kind === "slice" ? text : `${slice.rule}: ${text}`;
}

async function cut(
  page: string | Uint8Array,
  chunks: readonly number[] = [],
  limits: Partial<SplitLimits> = {},
): Promise<Cut> {
  const bytes = typeof page === "string" ? Buffer.from(page, "utf8") : page;
  const reader = splitPage(chunked(bytes, chunks), shape, { ...generous, ...limits });
  const slices: string[] = [];
  let next = await reader.next();
  for (; next.done !== true; next = await reader.next()) slices.push(shown(next.value));
  return { slices, envelope: Buffer.from(next.value.bytes).toString("utf8"), result: next.value };
}

async function failure(page: string | Uint8Array, limits: Partial<SplitLimits> = {}): Promise<unknown> {
  return cut(page, [7], limits).then(
    () => "no failure",
    (error: unknown) => (error instanceof Fault ? `${error.kind} ${error.code}` : error),
  );
}

const r1 = recordText({ identifier: "oai:x:1" });
const r2 = recordText({ identifier: "oai:x:2" });
const r3 = recordText({ identifier: "oai:x:3" });
const TOKEN = "<resumptionToken>t1</resumptionToken>";
const everyChunking: readonly (readonly number[])[] = [[], [1], [2, 3], [7], [64, 1], [1000]];

describe("splitPage on sound pages", () => {
  it.each(everyChunking)("gives each record as it stands, whatever the chunks (%s)", async (...chunks) => {
    const { slices, envelope } = await cut(listRecords([r1, r2], TOKEN), chunks);
    expect(slices).toEqual([r1, r2]);
    expect(envelope).toContain(`<ListRecords>${TOKEN}</ListRecords></OAI-PMH>`);
    expect(envelope).not.toContain("<record");
  });

  it("C62 a prefixed envelope, and one whose records declare their namespace themselves", async () => {
    const record = `<oai:record a=">"><oai:header><oai:identifier>1</oai:identifier></oai:header></oai:record>`;
    const prefixed = `<oai:OAI-PMH xmlns:oai="http://www.openarchives.org/OAI/2.0/"><oai:ListRecords>${record}</oai:ListRecords></oai:OAI-PMH>`;
    expect((await cut(prefixed, [1])).slices).toEqual([record]);
    const own = `<record xmlns="http://www.openarchives.org/OAI/2.0/"><header><identifier>1</identifier></header></record>`;
    const mixed = prefixed.replace(record, own);
    expect((await cut(mixed, [3])).slices).toEqual([own]);
  });

  it("C69 a page with exactly one record is a list of one", async () => {
    expect((await cut(listRecords([r1]))).slices).toEqual([r1]);
  });

  it("an empty list, an empty container and an error are all envelope", async () => {
    expect((await cut(listRecords([]))).slices).toEqual([]);
    expect((await cut(oaiDocument("<ListRecords/>"))).slices).toEqual([]);
    expect((await cut(oaiDocument('<error code="noRecordsMatch"/>'))).envelope).toContain("noRecordsMatch");
  });

  it.each([
    ["foreign records in it", "<set><record><leader/></record><record/></set>"],
    ["foreign records with a prefix", "<m:record xmlns:m='u'><m:record/></m:record>"],
    ["a record in a comment", "<a/><!-- </record> <record> -->"],
    ["a record in CDATA", "<a><![CDATA[</record></metadata>]]></a>"],
    ["a record in an instruction", "<a/><?php echo '</record>'; ?>"],
    ["names that only begin alike", "<records/><recordset></recordset><record-info/>"],
    [
      "a whole OAI answer in it",
      "<x><OAI-PMH><ListRecords><record><header><identifier>9</identifier></header></record><resumptionToken>no</resumptionToken></ListRecords></OAI-PMH></x>",
    ],
  ])("is not misled by %s", async (_, content) => {
    const tricky = `<record>${headerText({ identifier: "oai:x:9" })}<metadata>${content}</metadata></record>`;
    for (const chunks of everyChunking) {
      const { slices, envelope } = await cut(listRecords([r1, tricky, r2], TOKEN), chunks);
      expect(slices).toEqual([r1, tricky, r2]);
      expect(envelope).toContain(TOKEN);
    }
  });

  it("comments and instructions between records belong to nobody", async () => {
    expect((await cut(listRecords([r1, "<!-- <record> -->", "<?x <record?>", r2]), [5])).slices).toEqual([
      r1,
      r2,
    ]);
  });

  it("C57 a byte-order mark or a blank line before the declaration", async () => {
    const page = listRecords([r1]);
    for (const before of ["\uFEFF", "\n", "\uFEFF\r\n  "])
      expect((await cut(before + page, [1])).slices).toEqual([r1]);
  });

  it("C56 a page of UTF-16 is transcoded", async () => {
    const page = listRecords([recordText({ identifier: "oai:x:ü" })]);
    const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(page, "utf16le")]);
    const { slices, result } = await cut(little, [3]);
    expect(slices).toEqual([recordText({ identifier: "oai:x:ü" })]);
    expect(result.transcodedFrom).toBe("utf-16le");
  });
});

describe("splitPage on damaged pages: one record costs one record", () => {
  it.each([
    ["a bare ampersand", r2.replace("oai:x:2</dc", "A & B</dc")],
    ["crossed tags", r2.replace("<dc:title>", "<dc:title><b>")],
    ["a lost quote", r2.replace('xmlns:dc="', "xmlns:dc=")],
    ["a CDATA section that never ends", r2.replace("<dc:title>", "<dc:title><![CDATA[")],
    ["a comment that never ends", r2.replace("<dc:title>", "<dc:title><!--")],
  ])("%s inside stays inside", async (_, damaged) => {
    for (const chunks of everyChunking)
      expect((await cut(listRecords([r1, damaged, r3], TOKEN), chunks)).slices).toEqual([r1, damaged, r3]);
  });

  it.each([
    ["its closing tag", r2.replace("</record>", "")],
    ["its second half", r2.slice(0, r2.indexOf("<dc:title>") + 12)],
  ])("a record that lost %s ends where the next one begins", async (_, damaged) => {
    for (const chunks of everyChunking) {
      const { slices, envelope } = await cut(listRecords([r1, damaged, r3, r1], TOKEN), chunks);
      expect(slices).toEqual([r1, `record-unclosed: ${damaged}\n`, r3, r1]);
      expect(envelope).toContain(TOKEN);
    }
  });

  it("the last record may be the damaged one, and the token is not lost with it", async () => {
    const damaged = r3.replace("</metadata></record>", "");
    const { slices, envelope } = await cut(listRecords([r1, damaged], TOKEN), [11]);
    expect(slices).toEqual([r1, `record-unclosed: ${damaged}\n`]);
    expect(envelope).toContain(TOKEN);
  });

  it("several records may have lost their closing tags", async () => {
    const open = [r1, r2, r3].map((record) => record.replace("</record>", ""));
    const { slices } = await cut(listRecords([open[0]!, r2, open[1]!, open[2]!, r1]), [13]);
    expect(slices).toEqual([
      `record-unclosed: ${open[0]!}\n`,
      r2,
      `record-unclosed: ${open[1]!}\n`,
      `record-unclosed: ${open[2]!}\n`,
      r1,
    ]);
  });

  it("a record whose opening tag is damaged is told once", async () => {
    const damaged = r2.replace("<record>", "<recor>");
    const { slices } = await cut(listRecords([r1, damaged, r3], TOKEN), [9]);
    expect(slices).toEqual([r1, expect.stringMatching(/^unexpected-content: /), r3]);
  });

  it("text between records is told, and the list goes on", async () => {
    const { slices, envelope } = await cut(
      listRecords([r1, "Warning: mysql_connect() failed", r3], `garbage ${TOKEN}`),
      [4],
    );
    expect(slices.map((slice) => slice.split(":")[0])).toEqual([
      "<record><header><identifier>oai",
      "unexpected-content",
      "<record><header><identifier>oai",
      "unexpected-content",
    ]);
    expect(envelope).toContain(TOKEN);
  });

  it("C70 a record beyond the limit is passed over in bounded memory", async () => {
    const huge = recordText({ identifier: "oai:x:huge", title: "x".repeat(50_000) });
    for (const chunks of [[], [100], [999]]) {
      const { slices, envelope } = await cut(listRecords([r1, huge, r3], TOKEN), chunks, {
        maxRecordBytes: 1000,
      });
      expect(slices.length).toBe(3);
      expect(slices[1]).toMatch(/^record-too-big: <record><header><identifier>oai:x:huge/);
      expect(slices[2]).toBe(r3);
      expect(envelope).toContain(TOKEN);
    }
  });

  it("a record beyond the limit that never ends costs itself", async () => {
    const huge = recordText({ identifier: "oai:x:huge", title: "<![CDATA[" + "x".repeat(50_000) }).replace(
      "</record>",
      "",
    );
    const { slices } = await cut(listRecords([r1, huge, r3]), [100], { maxRecordBytes: 1000 });
    expect(slices.map((slice) => slice.slice(0, 14))).toEqual([
      "<record><heade",
      "record-too-big",
      "<record><heade",
    ]);
  });

  it("any chunking of any damage gives the same slices and never a crash", async () => {
    const pieces = fc.constantFrom(
      r1,
      r2,
      "<record>",
      "</record>",
      "<![CDATA[",
      "]]>",
      "<!--",
      "-->",
      "&",
      "text",
      "<x a='>'>",
      "<resumptionToken>",
      TOKEN,
      "</metadata>",
      "\n",
      "<record/>",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(pieces, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
        async (parts, chunks) => {
          const page = listRecords(parts);
          const settle = (sizes: readonly number[]): Promise<unknown> =>
            cut(page, sizes).then(
              (done) => done.slices,
              (error: unknown) => (error instanceof Fault ? error.code : error),
            );
          const whole = await settle([]);
          expect(await settle(chunks)).toEqual(whole);
          expect(Array.isArray(whole) || typeof whole === "string").toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("splitPage refuses", () => {
  it("C66 a page without its closing tag", async () => {
    const page = listRecords([r1, r2]);
    for (let length = page.indexOf("<OAI-PMH"); length < page.trimEnd().length; length += 37) {
      expect(await failure(page.slice(0, length))).toBe("transient Truncated");
    }
  });

  it("C67 a document type, wherever it stands outside the records", async () => {
    const evil = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>';
    expect(await failure(evil + listRecords([r1]).replace(/<\?.*\?>/, ""))).toBe("protocol DoctypeForbidden");
    expect(await failure(listRecords([r1, evil]))).toBe("protocol DoctypeForbidden");
  });

  it.each([
    "<!DOCTYPE html><html></html>",
    "<html><body>",
    "Service unavailable",
    '{"error":1}',
    "<csw:Capabilities xmlns:csw='u'/>",
  ])("C65 another document: %s", async (page) => {
    expect(await failure(page)).toBeInstanceOf(ForeignDocument);
  });

  it("an empty body as truncated", async () => {
    expect(await failure("")).toBe("transient Truncated");
    expect(await failure("  \n")).toBe("transient Truncated");
  });

  it("C70 a page or an envelope beyond its budget", async () => {
    expect(await failure(listRecords([r1, r2]), { maxPageBytes: 500 })).toBe("protocol PageTooBig");
    expect(
      await failure(oaiDocument(`<description>${"x".repeat(5000)}</description>`), {
        maxEnvelopeBytes: 2000,
      }),
    ).toBe("protocol EnvelopeTooBig");
    expect(await failure(oaiDocument(`<!--${"x".repeat(5000)}-->`), { maxEnvelopeBytes: 2000 })).toBe(
      "protocol EnvelopeTooBig",
    );
  });

  it("an envelope with crossed tags", async () => {
    expect(await failure(oaiDocument("<a></b>"))).toBe("protocol Malformed");
  });

  it("envelopes nested without end", async () => {
    expect(await failure(oaiDocument("<a>".repeat(100)))).toBe("protocol Malformed");
  });
});
