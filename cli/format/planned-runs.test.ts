import { describe, expect, it } from "vitest";
import type { PlannedRuns } from "../../source/planned-runs.js";
import { plannedRunsText } from "./planned-runs.js";

const now = new Date("2026-11-30T12:00:00Z");

function plan(more: Partial<PlannedRuns> = {}): PlannedRuns {
  return {
    source: "state",
    schedule: "0 */6 * * *",
    timeZone: "Etc/UTC",
    means: "every 6 hours, at minute 0",
    suspended: false,
    installedSchedule: "0 */6 * * *",
    spreadMinutes: 0,
    offsetMinutes: 0,
    next: ["2026-11-30T18:00:00Z", "2026-12-01T00:00:00Z", "2026-12-04T06:00:00Z"].map(
      (text) => new Date(text),
    ),
    ...more,
  };
}

describe("when sources run next", () => {
  it.each([
    {
      name: "in words of today",
      given: [plan()],
      expect:
        "state runs every 6 hours, at minute 0; next today 18:00, tomorrow 00:00, Fri 4 Dec 06:00 (UTC).",
    },
    {
      name: "in the source's own zone",
      given: [plan({ timeZone: "America/Chicago" })],
      expect:
        "state runs every 6 hours, at minute 0; next today 12:00, today 18:00, Fri 4 Dec 00:00 (America/Chicago).",
    },
    {
      name: "with the year when it is another one",
      given: [plan({ next: [new Date("2028-02-29T00:00:00Z")] })],
      expect: "state runs every 6 hours, at minute 0; next Tue 29 Feb 2028 00:00 (UTC).",
    },
    {
      name: "with its place in the spread",
      given: [
        plan({
          means: "every 6 hours, at minute 12",
          installedSchedule: "12 */6 * * *",
          spreadMinutes: 20,
          offsetMinutes: 12,
          next: [new Date("2026-11-30T18:12:00Z")],
        }),
      ],
      expect:
        'state runs every 6 hours, at minute 12, 12 min later than written (its place in a spread of 20 min; installed as "12 */6 * * *"); next today 18:12 (UTC).',
    },
    {
      name: "with the first place in the spread",
      given: [plan({ spreadMinutes: 20, next: [new Date("2026-11-30T18:00:00Z")] })],
      expect:
        "state runs every 6 hours, at minute 0, as written (its place in a spread of 20 min); next today 18:00 (UTC).",
    },
    {
      name: "or that it is paused",
      given: [plan({ suspended: true })],
      expect: "state is paused (spec.suspend).",
    },
    { name: "or nothing when it never runs", given: [plan({ next: [] })], expect: "" },
  ])("is told $name", ({ given, expect: expected }) => {
    expect(plannedRunsText(given, now)).toBe(expected);
  });

  it("is told by the first three when there are many", () => {
    const many = [8, 3, 5, 4, 7, 6].map((hour, i) =>
      plan({
        source: `s${String(hour)}`,
        suspended: i === 5,
        next: [new Date(`2026-12-01T0${String(hour)}:00:00Z`)],
      }),
    );
    expect(plannedRunsText(many, now)).toBe(
      "Next runs: s3 tomorrow 03:00 UTC, s4 tomorrow 04:00 UTC, s5 tomorrow 05:00 UTC, and 2 others later. 1 source paused.",
    );
  });
});
