import { describe, expect, it } from "vitest";
import { pauseOf, requestOf } from "./brakes.js";

const now = new Date("2026-11-30T12:00:00Z");
const paused = "ingest.geoportal.io/paused";
const until = "ingest.geoportal.io/paused-until";

describe("pauseOf", () => {
  const reason = "server move, ticket 4711";
  it.each([
    { name: "no annotations", given: undefined, expect: undefined },
    { name: "others", given: { a: "b" }, expect: undefined },
    { name: "a reason", given: { [paused]: reason }, expect: { reason } },
    { name: "no reason", given: { [paused]: "" }, expect: { reason: "no reason given" } },
    { name: "blanks", given: { [paused]: " \n" }, expect: { reason: "no reason given" } },
    { name: "false is a reason too", given: { [paused]: "false" }, expect: { reason: "false" } },
    { name: "an end alone pauses nothing", given: { [until]: "2026-12-24T06:00:00Z" }, expect: undefined },
    {
      name: "an end to come",
      given: { [paused]: reason, [until]: "2026-12-24T06:00:00Z" },
      expect: { reason, until: "2026-12-24T06:00:00Z" },
    },
    {
      name: "an end in another zone",
      given: { [paused]: reason, [until]: "2026-11-30T14:00:00.250+01:00" },
      expect: { reason, until: "2026-11-30T13:00:01Z" },
    },
    {
      name: "an end that passed",
      given: { [paused]: reason, [until]: "2026-11-30T11:59:59Z" },
      expect: undefined,
    },
    {
      name: "an end that is now",
      given: { [paused]: reason, [until]: "2026-11-30T12:00:00Z" },
      expect: undefined,
    },
    {
      name: "an end nobody can read",
      given: { [paused]: reason, [until]: "tomorrow" },
      expect: {
        reason,
        problem:
          'ingest.geoportal.io/paused-until "tomorrow" is no time such as 2026-12-24T06:00:00Z, so the pause does not end by itself',
      },
    },
    {
      name: "an end without a zone",
      given: { [paused]: reason, [until]: "2026-11-30T11:00:00" },
      expect: {
        reason,
        problem:
          'ingest.geoportal.io/paused-until "2026-11-30T11:00:00" is no time such as 2026-12-24T06:00:00Z, so the pause does not end by itself',
      },
    },
  ])("$name", ({ given, expect: expected }) => {
    expect(pauseOf(given as Record<string, string> | undefined, now)).toEqual(expected);
  });

  it("cuts a novel", () => {
    expect(Array.from(pauseOf({ [paused]: "🗺".repeat(9000) }, now)?.reason ?? "")).toHaveLength(500);
  });
});

describe("requestOf", () => {
  const requestedAt = "ingest.geoportal.io/requestedAt";
  it.each([
    { name: "none", annotations: undefined, handled: undefined, expect: undefined },
    { name: "empty", annotations: { [requestedAt]: " " }, handled: undefined, expect: undefined },
    { name: "new", annotations: { [requestedAt]: "1" }, handled: undefined, expect: { value: "1" } },
    { name: "another", annotations: { [requestedAt]: "2" }, handled: "1", expect: { value: "2" } },
    { name: "handled", annotations: { [requestedAt]: "1" }, handled: "1", expect: undefined },
    {
      name: "too long, handled",
      annotations: { [requestedAt]: "x".repeat(300) },
      handled: `${"x".repeat(255)}…`,
      expect: undefined,
    },
  ])("$name", ({ annotations, handled, expect: expected }) => {
    const status = handled === undefined ? undefined : { lastHandledRequestedAt: handled };
    expect(requestOf(annotations, status)).toEqual(expected);
  });
});
