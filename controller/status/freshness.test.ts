import { describe, expect, it } from "vitest";
import { freshUntil } from "./freshness.js";

describe("freshUntil", () => {
  it.each([
    {
      name: "every six hours, two of them, a run of five minutes",
      given: { schedule: "0 */6 * * *", since: "2026-11-30T06:05:00Z", intervals: 2 },
      expect: "2026-11-30T18:05:00.000Z",
    },
    {
      name: "daily",
      given: { schedule: "0 1 * * *", since: "2026-11-30T01:07:00Z", intervals: 2 },
      expect: "2026-12-02T01:07:00.000Z",
    },
    {
      name: "half an interval more",
      given: { schedule: "0 1 * * *", since: "2026-11-30T01:00:00Z", intervals: 1.5 },
      expect: "2026-12-01T13:00:00.000Z",
    },
    {
      name: "less than one interval",
      given: { schedule: "0 */6 * * *", since: "2026-11-30T06:00:00Z", intervals: 0.5 },
      expect: "2026-11-30T09:00:00.000Z",
    },
    {
      name: "working days: Friday's run is fresh until two runs failed",
      given: { schedule: "0 9 * * MON-FRI", since: "2026-11-27T09:05:00Z", intervals: 2 },
      expect: "2026-12-01T09:05:00.000Z",
    },
    {
      name: "working days: a run asked for on Sunday",
      given: { schedule: "0 9 * * MON-FRI", since: "2026-11-29T12:00:00Z", intervals: 2 },
      expect: "2026-12-01T09:00:00.000Z",
    },
    {
      name: "counted from the last run",
      given: { schedule: "@every 90m", since: "2026-11-30T06:05:30Z", intervals: 2 },
      expect: "2026-11-30T09:05:30.000Z",
    },
    {
      name: "in its time zone, over the change to winter time",
      given: {
        schedule: "0 3 * * *",
        timeZone: "America/New_York",
        since: "2026-10-31T07:10:00Z",
        intervals: 2,
      },
      expect: "2026-11-02T08:10:00.000Z",
    },
    {
      name: "the 29th of February",
      given: { schedule: "0 0 29 2 *", since: "2024-02-29T01:00:00Z", intervals: 1 },
      expect: "2028-02-29T00:00:00.000Z",
    },
    {
      name: "the 29th of February, twice: the API server looks five years ahead",
      given: { schedule: "0 0 29 2 *", since: "2024-02-29T01:00:00Z", intervals: 2 },
      expect: undefined,
    },
    {
      name: "never",
      given: { schedule: "0 0 31 2 *", since: "2026-11-30T06:00:00Z", intervals: 2 },
      expect: undefined,
    },
    {
      name: "unreadable",
      given: { schedule: "61 * * * *", since: "2026-11-30T06:00:00Z", intervals: 2 },
      expect: undefined,
    },
  ])("$name", ({ given, expect: expected }) => {
    const until = freshUntil({ timeZone: "Etc/UTC", ...given, since: new Date(given.since) });
    expect(until?.toISOString()).toBe(expected);
  });
});
