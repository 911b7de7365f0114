import { describe, expect, it } from "vitest";
import { Fault } from "../../fault.js";
import type { HttpResponse } from "../../http.js";
import type { PageEnd, PageItem } from "../../record.js";
import type { ListQuestion } from "../protocol.js";
import { answer, headerText, listRecords, oaiDocument, recordText } from "../saved-answer.js";
import { readFormats, readSets } from "./inventory.js";
import { readList, readSingle } from "./read.js";

const limits = { maxRecordBytes: 100_000, maxPageBytes: 1_000_000 };
const question: ListQuestion = { want: "records", window: {}, set: "", granularity: "second" };
const r1 = recordText({ identifier: "oai:x:1" });
const r2 = recordText({ identifier: "oai:x:2" });

async function page(
  response: HttpResponse,
  changes: Partial<ListQuestion> = {},
): Promise<{ items: PageItem[]; end: PageEnd }> {
  const reader = readList(response, { ...question, ...changes }, limits);
  const items: PageItem[] = [];
  let next = await reader.next();
  for (; next.done !== true; next = await reader.next()) items.push(next.value);
  return { items, end: next.value };
}

async function fault(reading: Promise<unknown>): Promise<Fault> {
  const thrown = await reading.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Fault)) throw new Error(`no fault: ${String(thrown)}`);
  return thrown;
}

function errorText(code: string, text = "because"): string {
  return oaiDocument(`<error code="${code}">${text}</error>`);
}

describe("the end of a page", () => {
  it("token, size, position, expiry, server's clock", async () => {
    const token =
      '<resumptionToken expirationDate="2026-03-02T07:00:00Z" completeListSize="3" cursor="0">t&amp;1</resumptionToken>';
    expect((await page(answer(listRecords([r1, r2], token)))).end).toEqual({
      nothing: false,
      warnings: [],
      responseDate: "2026-03-02T06:00:00Z",
      token: "t&1",
      tokenExpires: "2026-03-02T07:00:00Z",
      listSize: 3,
      offset: 0,
    });
  });

  it.each([
    "",
    "<resumptionToken/>",
    "<resumptionToken></resumptionToken>",
    '<resumptionToken completeListSize="2" cursor="1"> \n </resumptionToken>',
  ])("C01 no token, whatever its form: '%s'", async (token) => {
    expect((await page(answer(listRecords([r1], token)))).end.token).toBeUndefined();
  });

  it("C02 outer white space is trimmed, inner is kept", async () => {
    expect(
      (await page(answer(listRecords([r1], "<resumptionToken>\n   a b\u00a0\n</resumptionToken>")))).end
        .token,
    ).toBe("a b\u00a0");
  });

  it("C03 the token 0 is a token", async () => {
    expect((await page(answer(listRecords([r1], "<resumptionToken>0</resumptionToken>")))).end.token).toBe(
      "0",
    );
  });

  it("C09 a token is unescaped once", async () => {
    expect(
      (await page(answer(listRecords([r1], "<resumptionToken>a+b/c==&amp;d&amp;amp;</resumptionToken>")))).end
        .token,
    ).toBe("a+b/c==&d&amp;");
  });

  it.each(["abc", "-3", "1.5", "", "99999999999999"])(
    "C16 a size '%s' that is no number is none",
    async (size) => {
      const { end } = await page(
        answer(
          listRecords(
            [r1],
            `<resumptionToken completeListSize="${size}" cursor="${size}">t</resumptionToken>`,
          ),
        ),
      );
      expect([end.listSize, end.offset]).toEqual([undefined, undefined]);
    },
  );

  it("C27 without responseDate the Date header is the server's clock", async () => {
    const page1 = listRecords([r1]).replace(/<responseDate>.*<\/responseDate>/, "");
    const headers = { "content-type": "text/xml", date: "Wed, 21 Oct 2026 07:28:00 GMT" };
    const { end } = await page(answer(page1, { headers }));
    expect(end.responseDate).toBe("2026-10-21T07:28:00Z");
    expect(end.warnings.map((warning) => warning.code)).toEqual(["no-response-date"]);
  });

  it("a list of headers", async () => {
    const text = oaiDocument(
      `<ListIdentifiers>${headerText({ identifier: "a" })}${headerText({ identifier: "b", deleted: true })}<resumptionToken>t</resumptionToken></ListIdentifiers>`,
    );
    const { items, end } = await page(answer(text, { chunks: [3] }), { want: "headers" });
    expect(
      items.map((item) => item.kind === "record" && [item.header.identifier, item.header.deleted]),
    ).toEqual([
      ["a", false],
      ["b", true],
    ]);
    expect(end.token).toBe("t");
  });

  it("C65 a wrong content type around an OAI body is only told", async () => {
    const { end } = await page(
      answer(listRecords([r1]), { headers: { "content-type": "text/html; charset=utf-8" } }),
    );
    expect(end.warnings.map((warning) => warning.code)).toEqual(["content-type"]);
  });

  it("C56 contradicting labels are told, and the bytes decide", async () => {
    const text = listRecords([recordText({ identifier: "a", title: "é" })]).replace(
      'encoding="UTF-8"',
      'encoding="ISO-8859-1"',
    );
    const { items, end } = await page(answer(text));
    expect(items[0]).toMatchObject({ kind: "record", warnings: [] });
    expect(end.warnings.map((warning) => warning.code)).toEqual(["not-utf8"]);
  });

  it("C62 an answer in another namespace is read, and told", async () => {
    const { items, end } = await page(answer(listRecords([r1]).replace("/OAI/2.0/", "/OAI/2.0")));
    expect(items.length).toBe(1);
    expect(end.warnings.map((warning) => warning.code)).toEqual(["wrong-namespace"]);
  });

  it("one broken record among good ones costs itself", async () => {
    const { items } = await page(
      answer(listRecords([r1, r2.replace("</identifier>", ""), r1], ""), { chunks: [11] }),
    );
    expect(items.map((item) => item.kind)).toEqual(["record", "broken", "record"]);
  });
});

describe("errors of OAI-PMH", () => {
  it.each([200, 404, 422, 500])("C34 C36 noRecordsMatch is success at status %i", async (status) => {
    const { items, end } = await page(
      answer(errorText("noRecordsMatch"), {
        status,
        headers: { "content-type": "text/xml", "retry-after": "3600" },
      }),
    );
    expect(items).toEqual([]);
    expect(end.nothing).toBe(true);
    expect(end.token).toBeUndefined();
  });

  it.each([
    ["badArgument", "protocol BadArgument"],
    ["badVerb", "protocol BadVerb"],
    ["badResumptionToken", "token-expired TokenExpired"],
    ["cannotDisseminateFormat", "config FormatNotSupported"],
    ["noSetHierarchy", "config SetsNotSupported"],
    ["idDoesNotExist", "protocol IdDoesNotExist"],
    ["InternalException", "transient UnknownOaiError"],
    ["", "transient UnknownOaiError"],
  ])("%s is %s", async (code, expected) => {
    const thrown = await fault(page(answer(errorText(code)), { token: "t" }));
    expect(`${thrown.kind} ${thrown.code}`).toBe(expected);
    expect(thrown.message).toContain("because");
    expect(thrown.detail.retryAfterMs).toBeUndefined();
  });

  it("C39 an error without code and text", async () => {
    const thrown = await fault(page(answer(oaiDocument("<error/>"))));
    expect(thrown.message).toContain("an error without code and text");
  });

  it("C11 a token refused that was never sent is no expiry", async () => {
    expect((await fault(page(answer(errorText("badResumptionToken"))))).kind).toBe("protocol");
  });

  it("C37 any error outranks the records that came with it", async () => {
    const text = oaiDocument(`<error code="badArgument">x</error><ListRecords>${r1}</ListRecords>`);
    expect((await fault(page(answer(text)))).code).toBe("BadArgument");
    const both = oaiDocument(`<error code="noRecordsMatch"/><error code="badArgument"/>`);
    expect((await fault(page(answer(both)))).code).toBe("BadArgument");
  });

  it("C64 an error without schemaLocation, in any prefix", async () => {
    const text = `<o:OAI-PMH xmlns:o="http://www.openarchives.org/OAI/2.0/"><o:responseDate>2026-01-01T00:00:00Z</o:responseDate><o:error code="noRecordsMatch"/></o:OAI-PMH>`;
    expect((await page(answer(text))).end.nothing).toBe(true);
  });

  it("C92 error texts are cleaned and cut", async () => {
    const thrown = await fault(page(answer(errorText("badArgument", `a\u0007b ${"x".repeat(3000)}`))));
    expect(thrown.message.length).toBeLessThan(700);
    expect(thrown.message).not.toMatch(/\p{Cc}/u);
  });

  it("an answer to another question", async () => {
    expect((await fault(page(answer(oaiDocument("<Identify/>"))))).code).toBe("NoList");
  });
});

describe("bodies that are not OAI-PMH", () => {
  it.each([
    [401, "denied Denied"],
    [403, "denied Denied"],
    [404, "gone NotFound"],
    [410, "gone Gone"],
    [413, "protocol ListTooLarge"],
    [429, "throttled Throttled"],
    [400, "protocol HttpStatus"],
    [500, "transient HttpStatus"],
    [502, "transient HttpStatus"],
    [503, "throttled Throttled"],
    [302, "protocol UnexpectedRedirect"],
  ])("C87 status %i is %s", async (status, expected) => {
    for (const body of ["<html><h1>Error</h1></html>", "", "no"]) {
      const thrown = await fault(page(answer(body, { status })));
      expect(`${thrown.kind} ${thrown.code}`).toBe(expected);
      expect(thrown.detail.status).toBe(status);
    }
  });

  it("a status of failure around a whole list without error is believed", async () => {
    expect((await fault(page(answer(listRecords([r1]), { status: 500 })))).kind).toBe("transient");
  });

  it.each([
    ["<html><title>Just a moment...</title>", "a challenge meant for browsers"],
    ["<html><body>Down for maintenance</body></html>", "a maintenance notice"],
    ["<!DOCTYPE html><form><input type='password'></form>", "a login page"],
    ["<!doctype html><html><p>Welcome</p></html>", "an HTML page"],
    ['<ows:ExceptionReport xmlns:ows="u"/>', "an answer of a CSW service"],
    ["<rss></rss>", "a news feed"],
    ['{"a":1}', "JSON"],
    ["hello", "something that is not XML"],
    ["<x/>", "XML of another kind"],
  ])("C65 %s", async (body, what) => {
    const thrown = await fault(page(answer(body)));
    expect(`${thrown.kind} ${thrown.code}`).toBe("transient NotOai");
    expect(thrown.message).toContain(what);
    expect(thrown.detail.excerpt!.length).toBeLessThanOrEqual(2048);
  });

  it("C92 the excerpt is clean and short", async () => {
    const thrown = await fault(page(answer(`<html>\u0000\u001b[31m${"x".repeat(5000)}`)));
    expect(thrown.detail.excerpt!.length).toBeLessThanOrEqual(2048);
    expect(thrown.detail.excerpt).not.toMatch(/\p{Cc}/u);
  });

  it("C66 a cut body under 200 is truncated", async () => {
    const thrown = await fault(page(answer(listRecords([r1, r2]).slice(0, -30))));
    expect(`${thrown.kind} ${thrown.code}`).toBe("transient Truncated");
  });
});

describe("single records and inventories", () => {
  function got(content: string): HttpResponse {
    return answer(oaiDocument(`<GetRecord>${content}</GetRecord>`));
  }

  it("a record", async () => {
    expect((await readSingle(got(r1), limits))?.header.identifier).toBe("oai:x:1");
  });

  it("C44 idDoesNotExist is undefined, at any status", async () => {
    expect(await readSingle(answer(errorText("idDoesNotExist"), { status: 404 }), limits)).toBeUndefined();
  });

  it("a broken record is a fault with an excerpt", async () => {
    const thrown = await fault(readSingle(got(r1.replace("</identifier>", "")), limits));
    expect(`${thrown.kind} ${thrown.code}`).toBe("protocol RecordBroken");
  });

  it("C41 formats", async () => {
    const formats = ["oai_dc", " iso19139 "]
      .map((prefix) => `<metadataFormat><metadataPrefix>${prefix}</metadataPrefix></metadataFormat>`)
      .join("");
    expect(
      await readFormats(answer(oaiDocument(`<ListMetadataFormats>${formats}</ListMetadataFormats>`))),
    ).toEqual(["oai_dc", "iso19139"]);
    expect(await readFormats(answer(errorText("noMetadataFormats")))).toEqual([]);
  });

  it("C42 sets, page by page", async () => {
    const sets = "<set><setSpec>a</setSpec><setName>A</setName></set><set><setSpec>a:b</setSpec></set>";
    expect(
      await readSets(answer(oaiDocument(`<ListSets>${sets}<resumptionToken>n</resumptionToken></ListSets>`))),
    ).toEqual({ sets: ["a", "a:b"], token: "n" });
    expect(await readSets(answer(errorText("noSetHierarchy")))).toEqual({ sets: [] });
  });
});
