import { describe, expect, it } from "vitest";
import { parseHttpDate, parseRetryAfter, retryAfterOf } from "./retry-after.js";

const now = Date.UTC(2026, 9, 21, 7, 0, 0);
const day = 86_400_000;

interface Row {
  readonly name: string;
  readonly value: string | undefined;
  readonly date?: string;
  readonly expected: number | undefined;
}

const table: readonly Row[] = [
  { name: "no header", value: undefined, expected: undefined },
  { name: "empty", value: "", expected: undefined },
  { name: "seconds", value: "120", expected: 120_000 },
  { name: "seconds with blanks", value: "  5 ", expected: 5_000 },
  { name: "zero: at least a second", value: "0", expected: 1_000 },
  { name: "C74 a ban of a day, in full", value: "86400", expected: day },
  { name: "more than a week: a week", value: "99999999", expected: 7 * day },
  { name: "absurd number: a week", value: "999999999999999", expected: 7 * day },
  { name: "number too long to be one", value: "9".repeat(40), expected: undefined },
  { name: "sent twice: the longer", value: "10, 60", expected: 60_000 },
  { name: "negative", value: "-5", expected: undefined },
  { name: "decimal", value: "1.5", expected: undefined },
  { name: "a unit", value: "120s", expected: undefined },
  { name: "words", value: "soon", expected: undefined },
  { name: "ISO date is not a form", value: "2026-10-21T07:28:00Z", expected: undefined },
  {
    name: "C75 a date, measured by our clock",
    value: "Wed, 21 Oct 2026 07:28:00 GMT",
    expected: 28 * 60_000,
  },
  {
    name: "C75 a date, measured by the server's clock an hour ahead",
    value: "Wed, 21 Oct 2026 08:28:00 GMT",
    date: "Wed, 21 Oct 2026 08:00:00 GMT",
    expected: 28 * 60_000,
  },
  {
    name: "C75 an unreadable Date header: our clock",
    value: "Wed, 21 Oct 2026 07:01:00 GMT",
    date: "yesterday",
    expected: 60_000,
  },
  { name: "C75 a date in the past: a second", value: "Wed, 21 Oct 2020 07:28:00 GMT", expected: 1_000 },
  { name: "C75 RFC 850 date", value: "Wednesday, 21-Oct-26 07:28:00 GMT", expected: 28 * 60_000 },
  { name: "C75 asctime date", value: "Wed Oct 21 07:28:00 2026", expected: 28 * 60_000 },
  { name: "C75 a date that does not exist", value: "Fri, 31 Apr 2026 07:28:00 GMT", expected: undefined },
  { name: "C75 an hour that does not exist", value: "Wed, 21 Oct 2026 27:28:00 GMT", expected: undefined },
  { name: "C75 another zone than GMT", value: "Wed, 21 Oct 2026 07:28:00 PST", expected: undefined },
];

describe("parseRetryAfter", () => {
  it.each(table)("$name", ({ value, date, expected }) => {
    expect(parseRetryAfter(value, { now, date })).toBe(expected);
  });

  it("reads both headers of a response", () => {
    const headers = { "retry-after": "Wed, 21 Oct 2026 09:00:30 GMT", date: "Wed, 21 Oct 2026 09:00:00 GMT" };
    expect(retryAfterOf({ headers }, now)).toBe(30_000);
  });
});

describe("parseHttpDate", () => {
  const dates: readonly (readonly [string, string | undefined])[] = [
    ["Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37.000Z"],
    ["Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37.000Z"],
    ["Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37.000Z"],
    ["06 Nov 1994 08:49:37 UTC", "1994-11-06T08:49:37.000Z"],
    ["Sat, 31 Dec 2016 23:59:60 GMT", "2017-01-01T00:00:00.000Z"],
    ["Thu, 29 Feb 2024 00:00:00 GMT", "2024-02-29T00:00:00.000Z"],
    ["Wed, 29 Feb 2023 00:00:00 GMT", undefined],
    ["Sun, 06 Foo 1994 08:49:37 GMT", undefined],
    ["", undefined],
  ];
  it.each(dates)("%s", (text, expected) => {
    expect(parseHttpDate(text)).toBe(expected === undefined ? undefined : Date.parse(expected));
  });
});
