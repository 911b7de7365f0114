import { describe, expect, it } from "vitest";
import { firstRun } from "./first-run.js";
import { manifest, treeOf } from "./tree-for-tests.js";

/** Berlin: +1 h in winter, +2 h from 2027-03-28 02:00, back on 2027-10-31 03:00. New York: 2026-11-01 02:00 back. */
describe("firstRun", () => {
  const table: {
    name: string;
    spec: Readonly<Record<string, unknown>>;
    now: string;
    at: string | undefined;
    local?: string;
    dst?: string;
  }[] = [
    {
      name: "in UTC",
      spec: { schedule: "0 */6 * * *" },
      now: "2026-11-30T10:00:00Z",
      at: "2026-11-30T12:00:00.000Z",
      local: "2026-11-30 12:00",
    },
    {
      name: "not the very minute of now",
      spec: { schedule: "0 12 * * *" },
      now: "2026-11-30T12:00:00Z",
      at: "2026-12-01T12:00:00.000Z",
      local: "2026-12-01 12:00",
    },
    {
      name: "in its own zone, no change near",
      spec: { schedule: "30 2 * * *", timeZone: "Europe/Berlin" },
      now: "2026-11-30T10:00:00Z",
      at: "2026-12-01T01:30:00.000Z",
      local: "2026-12-01 02:30",
    },
    {
      name: "a run that clocks skip within the week",
      spec: { schedule: "30 2 * * *", timeZone: "Europe/Berlin" },
      now: "2027-03-25T10:00:00Z",
      at: "2027-03-26T01:30:00.000Z",
      local: "2027-03-26 02:30",
      dst: "clocks go forward 1 h on 2027-03-28 02:00: the run at 02:30 is left out that day",
    },
    {
      name: "the first run itself comes after the skipped one",
      spec: { schedule: "30 2 * * *", timeZone: "Europe/Berlin" },
      now: "2027-03-27T12:00:00Z",
      at: "2027-03-29T00:30:00.000Z",
      local: "2027-03-29 02:30",
      dst: "clocks go forward 1 h on 2027-03-28 02:00: the run at 02:30 is left out that day",
    },
    {
      name: "a run that comes twice",
      spec: { schedule: "30 1 * * *", timeZone: "America/New_York" },
      now: "2026-10-31T12:00:00Z",
      at: "2026-11-01T05:30:00.000Z",
      local: "2026-11-01 01:30",
      dst: "clocks go back 1 h on 2026-11-01 02:00: the run at 01:30 is made twice that day",
    },
    {
      name: "many runs in the hour that is skipped",
      spec: { schedule: "*/20 * * * *", timeZone: "Europe/Berlin" },
      now: "2027-03-27T12:05:00Z",
      at: "2027-03-27T12:20:00.000Z",
      local: "2027-03-27 13:20",
      dst: "clocks go forward 1 h on 2027-03-28 02:00: 3 runs from 02:00 on are left out that day",
    },
    {
      name: "a change that only moves the runs in UTC",
      spec: { schedule: "0 12 * * *", timeZone: "Europe/Berlin" },
      now: "2027-10-30T12:00:00Z",
      at: "2027-10-31T11:00:00.000Z",
      local: "2027-10-31 12:00",
      dst: "clocks go back 1 h on 2027-10-31 03:00, so in UTC runs are 1 h later from then on",
    },
    {
      name: "a change long before a rare run",
      spec: { schedule: "0 6 1 7 *", timeZone: "Europe/Berlin" },
      now: "2027-03-01T00:00:00Z",
      at: "2027-07-01T04:00:00.000Z",
      local: "2027-07-01 06:00",
      dst: "clocks go forward 1 h on 2027-03-28 02:00, so in UTC runs are 1 h earlier from then on",
    },
    {
      name: "half an hour on Lord Howe Island",
      spec: { schedule: "45 1 * * *", timeZone: "Australia/Lord_Howe" },
      now: "2027-04-02T20:00:00Z",
      at: "2027-04-03T14:45:00.000Z",
      local: "2027-04-04 01:45",
      dst: "clocks go back 30 min on 2027-04-04 02:00: the run at 01:45 is made twice that day",
    },
    {
      name: "counted from now, whatever clocks do",
      spec: { schedule: "@every 7h", timeZone: "Europe/Berlin" },
      now: "2027-03-27T22:00:00Z",
      at: "2027-03-28T05:00:00.000Z",
      local: "2027-03-28 07:00",
    },
    { name: "suspended", spec: { suspend: true }, now: "2026-11-30T10:00:00Z", at: undefined },
    { name: "never", spec: { schedule: "0 0 31 2 *" }, now: "2026-11-30T10:00:00Z", at: undefined },
    { name: "no schedule", spec: { schedule: "often" }, now: "2026-11-30T10:00:00Z", at: undefined },
    { name: "no zone", spec: { timeZone: "Mars/Base" }, now: "2026-11-30T10:00:00Z", at: undefined },
  ];
  it.each(table)("$name", ({ spec, now, at, local, dst }) => {
    const { source } = treeOf({ manifests: { "a.yaml": manifest("a", spec) } }).sources[0]!;
    const run = firstRun(source, new Date(now));
    expect([run?.at.toISOString(), run?.local, run?.dst]).toEqual([at, local, dst]);
  });
});
