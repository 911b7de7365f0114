import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { specFor } from "../manifest-for-tests.js";
import type { ListQuestion } from "../protocol.js";
import { askFormats, askIdentify, askList, askRecord, askSets } from "./ask.js";

const question: ListQuestion = { want: "records", window: {}, set: "", granularity: "second" };
const BASE = "https://repo.example.org/oai";

function url(changes: Partial<ListQuestion>, spec = specFor()): string {
  return askList(spec, { ...question, ...changes }).url;
}

describe("requests of OAI-PMH", () => {
  it.each([
    ["https://repo.example.org/oai", "https://repo.example.org/oai?verb=Identify"],
    [
      "https://repo.example.org/oai?context=a%20b",
      "https://repo.example.org/oai?context=a%20b&verb=Identify",
    ],
    ["https://repo.example.org/oai?", "https://repo.example.org/oai?verb=Identify"],
    ["https://repo.example.org/oai?a=1&", "https://repo.example.org/oai?a=1&verb=Identify"],
    ["https://repo.example.org/oai#top", "https://repo.example.org/oai?verb=Identify"],
  ])("keeps the query of %s", (baseUrl, expected) => {
    expect(askIdentify(specFor({ baseUrl })).url).toBe(expected);
  });

  it("asks for lists, records, formats and sets", () => {
    expect(url({})).toBe(`${BASE}?verb=ListRecords&metadataPrefix=oai_dc`);
    expect(url({ want: "headers", set: "a:b" })).toBe(
      `${BASE}?verb=ListIdentifiers&metadataPrefix=oai_dc&set=a%3Ab`,
    );
    expect(askRecord(specFor(), "oai:x/y:1 2").url).toBe(
      `${BASE}?verb=GetRecord&identifier=oai%3Ax%2Fy%3A1%202&metadataPrefix=oai_dc`,
    );
    expect(askFormats(specFor()).url).toBe(`${BASE}?verb=ListMetadataFormats`);
    expect(askSets(specFor()).url).toBe(`${BASE}?verb=ListSets`);
    expect(askSets(specFor(), "t 1").url).toBe(`${BASE}?verb=ListSets&resumptionToken=t%201`);
  });

  it("C09 a token is percent-encoded exactly once", () => {
    expect(url({ token: "a+b/c==&d#|%20" })).toBe(
      `${BASE}?verb=ListRecords&resumptionToken=a%2Bb%2Fc%3D%3D%26d%23%7C%2520`,
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (token) => {
        expect(new URL(url({ token })).searchParams.get("resumptionToken")).toBe(token);
      }),
    );
  });

  it("C14 a token is sent alone with the verb", () => {
    const window = { from: "2026-01-01T00:00:00Z", until: "2026-02-01T00:00:00Z" };
    expect(url({ token: "t", window, set: "s" })).toBe(`${BASE}?verb=ListRecords&resumptionToken=t`);
  });

  it("C13 a source that insists gets the prefix with the token", () => {
    const spec = specFor({ token: { cacheTtlSeconds: 900, alsoSendPrefix: true } });
    expect(url({ token: "t" }, spec)).toBe(
      `${BASE}?verb=ListRecords&resumptionToken=t&metadataPrefix=oai_dc`,
    );
  });

  it("C03 the token '0' is a token", () => {
    expect(url({ token: "0" })).toBe(`${BASE}?verb=ListRecords&resumptionToken=0`);
  });

  it("C19 C21 both ends are written in the declared granularity", () => {
    const window = { from: "2026-01-01T10:20:30Z", until: "2026-02-01T00:00:00Z" };
    expect(url({ window })).toContain("&from=2026-01-01T10%3A20%3A30Z&until=2026-02-01T00%3A00%3A00Z");
    expect(url({ window, granularity: "day" })).toContain("&from=2026-01-01&until=2026-02-01");
  });

  it("C29 the newest window sends no until", () => {
    expect(url({ window: { from: "2026-01-01T00:00:00Z" } })).not.toContain("until");
  });

  it("C33 the time zone of the machine plays no part", () => {
    const before = process.env["TZ"];
    const asked = ["UTC", "America/New_York", "Pacific/Kiritimati"].map((zone) => {
      process.env["TZ"] = zone;
      return url({ window: { from: "2026-01-01T00:30:00Z" }, granularity: "day" });
    });
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
    expect(new Set(asked)).toEqual(
      new Set([`${BASE}?verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01`]),
    );
  });
});
