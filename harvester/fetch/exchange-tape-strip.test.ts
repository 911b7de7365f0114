import { describe, expect, it } from "vitest";
import type { HttpRequest } from "../http.js";
import { masked, secretTexts, strippedHeaders, strippedRequest } from "./exchange-tape-strip.js";

describe("a request as it is written down", () => {
  const rows: readonly { name: string; given: HttpRequest; expect: object }[] = [
    {
      name: "a key in the address, and a header nobody thought of",
      given: {
        method: "GET",
        url: "https://u:p@a.example/oai?verb=Identify&api_key=abc%2Fdef&resumptionToken=9",
        headers: { Accept: "text/xml", Authorization: "Basic xyz", "X-Api-Key": "k", Cookie: "s=1" },
      },
      expect: {
        method: "GET",
        url: "https://a.example/oai?verb=Identify&api_key=***&resumptionToken=9",
        headers: { accept: "text/xml" },
      },
    },
    {
      name: "a form",
      given: {
        method: "POST",
        url: "https://a.example/oai",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "verb=Identify&token=abcdefgh",
      },
      expect: {
        method: "POST",
        url: "https://a.example/oai",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "verb=Identify&token=***",
      },
    },
  ];
  it.each(rows)("$name", ({ given, expect: expected }) => {
    expect(strippedRequest(given)).toEqual(expected);
  });

  it("a long address is not cut, or two pages would be one", () => {
    const url = `https://a.example/oai?resumptionToken=${"x".repeat(2000)}`;
    expect(strippedRequest({ method: "GET", url, headers: {} }).url).toBe(url);
  });
});

it("headers of an answer: those that explain it, never a cookie", () => {
  const headers = {
    "content-type": "text/xml",
    date: "Mon, 30 Nov 2026 12:00:00 GMT",
    "set-cookie": "session=1",
    "www-authenticate": "Bearer",
    "x-debug-token": "t",
  };
  expect(strippedHeaders(headers)).toEqual({
    "content-type": "text/xml",
    date: "Mon, 30 Nov 2026 12:00:00 GMT",
  });
});

describe("what a source echoes", () => {
  const url = "https://a.example/oai?key=abc%26def&verb=Identify";
  const secrets = secretTexts(url, { authorization: "Bearer tok-123456", "x-short": "abc" });

  it.each([
    {
      name: "as sent",
      given: "<r>abc%26def</r>",
      expect: "<r>*********</r>".replace("*********", "*".repeat(9)),
    },
    { name: "decoded", given: "x abc&def x", expect: "x ******* x" },
    { name: "as XML", given: "x abc&amp;def x", expect: "x *********** x" },
    { name: "the token of a header alone", given: "tok-123456!", expect: "**********!" },
    { name: "twice", given: "tok-123456tok-123456", expect: "********************" },
    { name: "words too short to be told from words", given: "abc Bearer", expect: "abc ******" },
  ])("$name", ({ given, expect: expected }) => {
    expect(masked(Buffer.from(given), secrets).toString()).toBe(expected);
  });
});
