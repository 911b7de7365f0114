import { describe, expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.js";

const date = "Mon, 30 Nov 2026 12:00:00 GMT";

describe("retryAfterMs", () => {
  it.each([
    { name: "absent", value: undefined, expect: undefined },
    { name: "seconds", value: "7", expect: 7000 },
    { name: "seconds with blanks", value: " 120 ", expect: 120_000 },
    { name: "zero", value: "0", expect: 0 },
    { name: "more than a week is a week", value: "99999999", expect: 604_800_000 },
    { name: "a date, by the answer's own clock", value: "Mon, 30 Nov 2026 12:01:30 GMT", expect: 90_000 },
    { name: "a date in the past", value: "Mon, 30 Nov 2026 11:00:00 GMT", expect: 0 },
    { name: "a fraction", value: "1.5", expect: undefined },
    { name: "negative", value: "-1", expect: undefined },
    { name: "a date that is none", value: "Mon, 99 Nov 2026 12:00:00 GMT", expect: undefined },
    { name: "junk", value: "soon", expect: undefined },
  ])("$name", ({ value, expect: expected }) => {
    expect(retryAfterMs(value, { now: 0, date })).toBe(expected);
  });

  it("measures a date against our clock when the answer has none", () => {
    const now = Date.UTC(2026, 10, 30, 12, 0, 20);
    expect(retryAfterMs("Mon, 30 Nov 2026 12:01:30 GMT", { now })).toBe(70_000);
  });
});
