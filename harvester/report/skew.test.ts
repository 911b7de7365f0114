import { expect, it } from "vitest";
import { clockSkew } from "./skew.js";

const now = new Date("2026-11-30T12:00:00.400Z");

it.each([
  { name: "equal", given: "2026-11-30T12:00:00Z", expect: 0 },
  { name: "ahead", given: "2026-11-30T12:05:00Z", expect: 300 },
  { name: "behind", given: "2026-11-30T11:58:30Z", expect: -90 },
  { name: "no time told", given: undefined, expect: undefined },
  { name: "no time at all", given: "yesterday", expect: undefined },
])("$name", ({ given, expect: expected }) => {
  expect(clockSkew(given, now)).toBe(expected);
});
