import { describe, expect, it } from "vitest";
import type { BrokenRecord, RawRecord } from "../../record.js";
import type { ItemSlice } from "../page-shape.js";
import { dublinCore, headerText, recordText } from "../saved-answer.js";
import { readItem } from "./record.js";

const OAI = "http://www.openarchives.org/OAI/2.0/";
const XSI = "http://www.w3.org/2001/XMLSchema-instance";

function slice(
  text: string | Uint8Array,
  scope: Record<string, string> = { "": OAI, xsi: XSI },
  declaredEncoding?: string,
): ItemSlice {
  return {
    kind: "slice",
    bytes: Buffer.from(text as string),
    scope: new Map(Object.entries(scope)),
    declaredEncoding,
  };
}

function whole(text: string | Uint8Array, scope?: Record<string, string>, declared?: string): RawRecord {
  const item = readItem(slice(text, scope, declared), { want: "records" });
  if (item.kind === "broken") throw new Error(`${item.violation.rule}: ${item.violation.message}`);
  return item;
}

function damaged(text: string | Uint8Array): BrokenRecord {
  const item = readItem(slice(text), { want: "records" });
  if (item.kind === "record") throw new Error("not broken");
  return item;
}

function bodyOf(text: string, scope?: Record<string, string>): string {
  return Buffer.from(whole(text, scope).body ?? []).toString("utf8");
}

const header = headerText({ identifier: "oai:x:1" });
function withMetadata(content: string): string {
  return `<record>${header}<metadata>${content}</metadata></record>`;
}

describe("a record's header", () => {
  it("identifier, datestamp, sets", () => {
    const text = recordText({
      identifier: "\n oai:x:1 ",
      datestamp: "2026-03-01",
      sets: ["a", "a:b", "a", " "],
    });
    expect(whole(text).header).toEqual({
      identifier: "oai:x:1",
      datestamp: "2026-03-01T00:00:00Z",
      sets: ["a", "a:b"],
      deleted: false,
    });
  });

  it("a tombstone has no body", () => {
    const record = whole(recordText({ identifier: "oai:x:1", deleted: true }));
    expect(record.header.deleted).toBe(true);
    expect(record.body).toBeUndefined();
  });

  it.each(["2024-13-99", ""])("C22 an unreadable datestamp '%s' is left out and told", (datestamp) => {
    const record = whole(recordText({ identifier: "oai:x:1", datestamp }));
    expect(record.header.datestamp).toBeUndefined();
    expect(record.warnings.map((warning) => warning.code)).toEqual(["datestamp-unreadable"]);
  });

  it("entities are resolved, and only those of XML", () => {
    expect(whole(recordText({ identifier: "a&amp;b&#x41;&lt;" })).header.identifier).toBe("a&bA<");
    expect(damaged(recordText({ identifier: "a&nbsp;b" })).violation.rule).toBe("record-malformed");
  });

  it("C64 nothing hangs on schemaLocation", () => {
    const text = recordText({ identifier: "oai:x:1" }).replace("<header>", '<header xsi:schemaLocation="x">');
    expect(whole(text, { "": OAI }).header.identifier).toBe("oai:x:1");
  });

  it("a list of headers", () => {
    const item = readItem(slice(headerText({ identifier: "oai:x:1", deleted: true })), { want: "headers" });
    expect(item).toMatchObject({
      kind: "record",
      header: { identifier: "oai:x:1", deleted: true },
      about: [],
    });
  });
});

describe("the payload", () => {
  it("is exactly the one element inside metadata", () => {
    expect(bodyOf(withMetadata(`\n <!-- x --><?y z?>  <a xmlns="u"><metadata/></a> <!-- z -->\n`))).toBe(
      '<a xmlns="u"><metadata/></a>',
    );
    expect(bodyOf(withMetadata('<a xmlns=""/>'))).toBe('<a xmlns=""/>');
  });

  it("declares what it needs of the envelope, in a fixed order", () => {
    const scope = { z: "urn:z", "": OAI, a: 'urn:a"&', unused: "urn:unused" };
    expect(bodyOf(withMetadata("<z:m a:k='1'><b/></z:m>"), scope)).toBe(
      `<z:m xmlns="${OAI}" xmlns:a="urn:a&quot;&amp;" xmlns:z="urn:z" a:k='1'><b/></z:m>`,
    );
  });

  it("also of record and metadata themselves, the nearest winning", () => {
    const text = `<record xmlns:p="urn:far">${header}<metadata xmlns:p="urn:near"><p:a/></metadata></record>`;
    expect(bodyOf(text)).toBe(`<p:a xmlns="${OAI}" xmlns:p="urn:near"/>`);
  });

  it("does not repeat its own declarations", () => {
    const own = `<p:a xmlns:p="urn:own" xmlns="urn:d"><p:b/></p:a>`;
    expect(bodyOf(withMetadata(own), { "": OAI, p: "urn:outer" })).toBe(own);
  });

  it("equal records give equal bytes whatever else the envelope declares", () => {
    const text = withMetadata(dublinCore("x"));
    expect(bodyOf(text, { "": OAI, xsi: XSI })).toBe(bodyOf(text, { foo: "bar", "": OAI }));
  });

  it("goes to the gate as it is when it is never closed", () => {
    expect(bodyOf(withMetadata('<a xmlns="u"><b>\n'))).toBe('<a xmlns="u"><b>');
  });

  it("C62 prefixes of the envelope do not matter", () => {
    const text = `<o:record xmlns:o="${OAI}"><o:header><o:identifier>i</o:identifier><o:datestamp>2026-01-01</o:datestamp></o:header><o:metadata><metadata/></o:metadata><o:about>x</o:about></o:record>`;
    const record = whole(text, {});
    expect(record.header.identifier).toBe("i");
    expect(Buffer.from(record.body!).toString()).toBe("<metadata/>");
    expect(record.about).toEqual(["<o:about>x</o:about>"]);
  });

  it("C98 about containers stay verbatim", () => {
    const about = [
      '<about><provenance xmlns="p"><originDescription altered="true">&amp;</originDescription></provenance></about>',
      "<about><x/></about>",
    ];
    const text = recordText({ identifier: "oai:x:1" }).replace("</record>", `${about.join("\n")}</record>`);
    expect(whole(text).about).toEqual(about);
  });
});

describe("characters", () => {
  it("C54 characters XML forbids are taken out and told", () => {
    const record = whole(
      recordText({ identifier: "oai:x:1", title: "a\u000Bb&#11;c&#x0;d\uFFFEe\tf\ng&#9;h" }),
    );
    expect(Buffer.from(record.body!).toString("utf8")).toContain(">abcde\tf\ng&#9;h<");
    expect(record.warnings).toEqual([
      { code: "sanitised", sentence: expect.stringMatching(/^4 characters .* at byte \d+ of the record/) },
    ]);
  });

  it("C54 in CDATA a reference is text", () => {
    const record = whole(recordText({ identifier: "oai:x:1", title: "<![CDATA[&#11;]]>&#11;" }));
    expect(Buffer.from(record.body!).toString("utf8")).toContain("><![CDATA[&#11;]]><");
  });

  it("C56 bytes that are not UTF-8 cost this record alone", () => {
    const latin1 = Buffer.from(recordText({ identifier: "oai:x:1", title: "é" }), "latin1");
    const broken = damaged(latin1);
    expect(broken).toMatchObject({
      identifier: "oai:x:1",
      violation: { gate: "envelope", rule: "invalid-utf8", severity: "error" },
    });
    expect(Buffer.from(broken.raw)).toEqual(latin1);
  });

  it.each(["iso-8859-1", "windows-1252"])("C56 but are decoded when the page says %s", (label) => {
    const record = whole(
      Buffer.from(recordText({ identifier: "oai:x:1", title: "é" }), "latin1"),
      undefined,
      label,
    );
    expect(Buffer.from(record.body!).toString("utf8")).toContain(">é<");
    expect(record.warnings.map((warning) => warning.code)).toEqual(["decoded"]);
  });

  it("C56 valid UTF-8 is believed, whatever the label", () => {
    const record = whole(recordText({ identifier: "oai:x:1", title: "é" }), undefined, "iso-8859-1");
    expect(Buffer.from(record.body!).toString("utf8")).toContain(">é<");
    expect(record.warnings).toEqual([]);
  });

  it("C56 the charset of the header goes before the declaration (RFC 7303)", () => {
    const bytes = Buffer.from([
      ...Buffer.from(
        '<record><header><identifier>i</identifier><datestamp>2026-01-01</datestamp></header><metadata><a xmlns="u">',
      ),
      0xa4,
      ...Buffer.from("</a></metadata></record>"),
    ]);
    const item = readItem(
      { ...slice(bytes), declaredEncoding: "iso-8859-1" },
      { want: "records", charset: "iso-8859-15" },
    );
    expect(item.kind === "record" && Buffer.from(item.body!).toString("utf8")).toContain("€");
  });
});

describe("what is no record", () => {
  it.each([
    ["header-missing", `<record><metadata><a/></metadata></record>`],
    ["identifier-missing", withMetadata("<a/>").replace("oai:x:1", " ")],
    ["identifier-too-long", withMetadata("<a/>").replace("oai:x:1", "x".repeat(3000))],
    ["metadata-missing", `<record>${header}</record>`],
    ["metadata-empty", withMetadata(" <!-- nothing --> ")],
    ["record-malformed", withMetadata("text")],
    ["record-malformed", withMetadata("<a/><b/>")],
    ["record-malformed", withMetadata("<a/>").replace("</metadata>", "")],
    ["record-malformed", withMetadata("<a/>").replace("</datestamp>", "")],
    ["record-malformed", `<record>${header}${header}<metadata><a/></metadata></record>`],
    ["record-malformed", withMetadata('<a xmlns="u" xmlns="u"/>')],
    ["header-missing", "<record/>"],
  ])("%s: %s", (rule, text) => {
    expect(damaged(text).violation.rule).toBe(rule);
  });

  it("C60 a duplicate declaration is told with its place, and the identifier is kept", () => {
    const broken = damaged(withMetadata('<dc xmlns="u" xmlns="u"/>'));
    expect(broken.identifier).toBe("oai:x:1");
    expect(broken.violation.message).toMatch(
      /the attribute 'xmlns' twice in one tag \(at byte \d+ of the record\)/,
    );
  });

  it("the identifier is not taken from the payload", () => {
    expect(
      damaged("<record><header></header><metadata><identifier>no</identifier></metadata></record>")
        .identifier,
    ).toBeUndefined();
  });

  it("a part the protocol does not know is passed over and told", () => {
    const record = whole(
      recordText({ identifier: "oai:x:1" }).replace("<metadata>", "<extra>1</extra><metadata>"),
    );
    expect(record.warnings.map((warning) => warning.code)).toEqual(["unknown-element"]);
  });
});
