import { describe, expect, it } from "vitest";
import { oneLine, paragraphs, readableDate, readableEmail, readableNumber, readableUrl } from "./readable.js";

describe("readableDate", () => {
  const dates = [
    "2020",
    "2020-02",
    "2020-02-29",
    "20200229",
    "2010-11-10Z",
    "20131114Z",
    "2001-01-01+02:00",
    "2012-10-27T19:46:59Z",
    "2012-10-27T19:46",
    "2015-06-11T13:49:51.9245853",
    "2015-06-11T13:49:51,9+01:00",
    "20150611T134951Z",
    "0001",
  ];
  it.each(dates)("reads %s as written", (date) => {
    expect(readableDate(`\n ${date} `)).toBe(date);
  });

  const others = [
    "",
    "0000",
    "-2150-00-00",
    "12020",
    "2020-00",
    "2020-13",
    "2021-02-29",
    "1900-02-29",
    "2020-04-31",
    "2020-1-1",
  ];
  const texts = [
    "2020-01-01 10:00",
    "2020-01T10:00",
    "2020-01-01T25:00",
    "01/02/2020",
    "May 2020",
    "2020-01-01T",
    "١٩٩٩",
    "2020/2021",
  ];
  it.each([...others, ...texts])("does not read %s", (text) => {
    expect(readableDate(text)).toBeUndefined();
  });
});

it.each([
  ["1", 1],
  [" -1.50 ", -1.5],
  ["+.5", 0.5],
  ["2.", 2],
  ["1e2", 100],
  ["-0", -0],
])("reads the number %s", (text, value) => {
  expect(readableNumber(text)).toBe(value);
});

it.each(["", " ", "1,5", "0x10", "NaN", "Infinity", "1e999", "1 2", "--1", "5°", "1_000", "9".repeat(101)])(
  "does not read %s as a number",
  (text) => {
    expect(readableNumber(text)).toBeUndefined();
  },
);

it.each([
  "http://x",
  " https://example.org/a?b=c&d=[e]#f ",
  "FTP://x/y",
  "s3://bucket/key",
  "https://x/{z}/{x}.png",
  "http://münchen.de/ä",
])("reads the address %s", (text) => {
  expect(readableUrl(text)).toBe(text.trim());
});

it.each([
  "",
  "x",
  "//x",
  "/a",
  "www.example.org",
  "http://",
  "http://a b",
  "javascript:alert(1)",
  "data:,x",
  "file:///etc/passwd",
  "http://x/<y>",
  `http://x/${"y".repeat(4000)}`,
])("does not read %s as an address", (text) => {
  expect(readableUrl(text)).toBeUndefined();
});

it.each([
  ["jo@example.org", "jo@example.org"],
  [" mailto: jo@example.org ", "jo@example.org"],
  ["None", undefined],
  ["a@b@c", undefined],
  ["jo@example.org; al@example.org", undefined],
  ["jo [at] example.org", undefined],
  ["", undefined],
])("reads the e-mail address %j as %j", (text, email) => {
  expect(readableEmail(text)).toBe(email);
});

it("folds white space on one line, and keeps paragraphs where they are wanted", () => {
  expect(oneLine(" a\n\tb\u00a0c ")).toBe("a b c");
  expect(paragraphs("\r\n a  b\r\n\r\n\r\nc ")).toBe("a b\n\nc");
});
