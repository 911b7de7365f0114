import { describe, expect, it } from "vitest";
import { cleanExcerpt, redactText, redactUrl } from "./redact.js";

describe("redactUrl", () => {
  const table: readonly (readonly [string, string])[] = [
    ["https://a.example/oai?verb=Identify", "https://a.example/oai?verb=Identify"],
    ["https://user:pa%40ss@a.example/oai", "https://a.example/oai"],
    ["https://a.example/oai?api_key=abc&verb=Identify", "https://a.example/oai?api_key=***&verb=Identify"],
    ["https://a.example/oai?API-KEY=abc", "https://a.example/oai?API-KEY=***"],
    [
      "https://a.example/oai?verb=Identify&access_token=a.b.c",
      "https://a.example/oai?verb=Identify&access_token=***",
    ],
    [
      "https://a.example/?X-Amz-Signature=abc&X-Amz-Date=1",
      "https://a.example/?X-Amz-Signature=***&X-Amz-Date=1",
    ],
    ["https://a.example/?pass%77ord=abc", "https://a.example/?pass%77ord=***"],
    ["https://a.example/?sig=a=b", "https://a.example/?sig=***"],
    ["https://a.example/?subscription-key=1;x=2", "https://a.example/?subscription-key=***;x=2"],
    ["https://a.example/oai?resumptionToken=abc%2F1", "https://a.example/oai?resumptionToken=abc%2F1"],
    [
      "https://a.example/oai;jsessionid=A1B2?verb=Identify",
      "https://a.example/oai;jsessionid=***?verb=Identify",
    ],
    ["https://a.example/oai#access_token=abc", "https://a.example/oai"],
    ["https://a.example/?monkey=1&tokens=2", "https://a.example/?monkey=1&tokens=2"],
    ["https://a.example/?%zz=1&key=2", "https://a.example/?%zz=1&key=***"],
    ["not an address", "(an address that cannot be read)"],
  ];
  it.each(table)("C92 %s", (given, expected) => {
    expect(redactUrl(given)).toBe(expected);
  });

  it("cuts an address at 300 characters", () => {
    const shown = redactUrl(`https://a.example/?q=${"x".repeat(5000)}`);
    expect(shown).toHaveLength(300);
    expect(shown.endsWith("…")).toBe(true);
  });
});

describe("cleanExcerpt", () => {
  const table: readonly (readonly [string, Uint8Array, string])[] = [
    ["plain text", Buffer.from("Not found"), "Not found"],
    ["NUL and bell", Buffer.from("a\0b\x07c"), "a b c"],
    ["terminal colours", Buffer.from("\x1b[31mred\x1b[0m"), "[31mred [0m"],
    ["lines and tabs", Buffer.from("<html>\r\n\t<p>x</p>\n"), "<html> <p>x</p>"],
    ["text direction marks", Buffer.from("a\u202Eb\u2066c"), "a b c"],
    ["bytes that are no UTF-8", Uint8Array.from([0x41, 0xff, 0xfe, 0x42]), "A B"],
    [
      "an echoed secret",
      Buffer.from("bad request /oai?api_key=s3cret&x=1"),
      "bad request /oai?api_key=***&x=1",
    ],
    ["nothing", new Uint8Array(), ""],
  ];
  it.each(table)("C92 %s", (_name, given, expected) => {
    expect(cleanExcerpt(given)).toBe(expected);
  });

  it("C92 is never longer than 2 KiB, whatever replacement did", () => {
    for (const text of ["é".repeat(5000), "x".repeat(5000), "key=a ".repeat(2000)]) {
      expect(Buffer.byteLength(cleanExcerpt(Buffer.from(text)))).toBeLessThanOrEqual(2048);
    }
  });
});

describe("redactText", () => {
  const table: readonly (readonly [string, string])[] = [
    ["connect to https://u:p@a.example failed", "connect to https://a.example failed"],
    ["Authorization: abcdef", "Authorization: ***"],
    ["got Bearer abc.def.ghi back", "got Bearer *** back"],
    ['{"api_key": "s3cret", "a": 1}', '{"api_key": "***", "a": 1}'],
    ["password=hunter2, retry", "password=***, retry"],
    ["nothing to hide", "nothing to hide"],
  ];
  it.each(table)("%s", (given, expected) => {
    expect(redactText(given)).toBe(expected);
  });
});
