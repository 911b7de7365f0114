import { describe, expect, it } from "vitest";
import { describeCron, isTimeZone, nextRuns, parseCron } from "./cron.js";

function understood(text: string): Exclude<ReturnType<typeof parseCron>, { kind: "problem" }> {
  const cron = parseCron(text);
  if (cron.kind === "problem") throw new Error(`${text}: ${cron.sentence}`);
  return cron;
}

/** Each was put to a kube-apiserver 1.37.2 as CronJob.spec.schedule (server-side dry run). */
describe("the grammar of the API server", () => {
  it.each([
    "0 */6 * * *",
    "*-5 * * * ?",
    " 0 0 * * * ",
    "0 0 , * *",
    "1,,2 * * * *",
    "+5 * * * *",
    "05 * * * *",
    "0 0 * * sun-sat",
    "@every 6h",
    "@every 1.5h",
    "@every +1h",
    "@every 1h30m",
    "@every 1.h",
    "@every 1h1h",
    "@midnight",
    "@annually",
    "*/61 * * * *",
    "5/15 * * * *",
    "? ? ? ? ?",
    "*,5 * * * *",
    "0 0 31 2 *",
    "0-59/7 * * * *",
    "0\t0\t*\t*\t*",
    "0 0 ? * *",
    "0 0 * JAN-3 *",
    "0 0 * 1-mar,DEC *",
    "* * * * MON/2",
  ])("accepts %j", (text) => {
    expect(parseCron(text).kind).not.toBe("problem");
  });

  it.each([
    ["0 0 * * 7", "Sunday is 0, or SUN.", 8, 1],
    ["0 0 * * SAT-SUN", "Write it as two ranges: SAT-SAT,SUN-SUN.", 8, 7],
    ["20-10 * * * *", "Write it as two ranges: 20-59,0-10.", 0, 5],
    ["@every  6h", "Write hours, minutes and seconds, e.g. @every 6h or @every 1h30m.", 0, 10],
    ["@every 6h ", "Write hours, minutes and seconds, e.g. @every 6h or @every 1h30m.", 0, 10],
    ["@every 6", "Write hours, minutes and seconds, e.g. @every 6h or @every 1h30m.", 0, 8],
    ["@every 1d", "Write hours, minutes and seconds, e.g. @every 6h or @every 1h30m.", 0, 9],
    ["@Hourly", "Did you mean @hourly?", 0, 7],
    ["@reboot", "Known are @hourly, @daily, @weekly, @monthly, @yearly and @every 6h.", 0, 7],
    [" @hourly", 'E.g. "0 */6 * * *" is every 6 hours.', 0, 8],
    ["0 0 L * *", "Name the days by number, or the weekday by 0-6 or SUN-SAT.", 4, 1],
    ["0 0 15W * *", "Name the days by number, or the weekday by 0-6 or SUN-SAT.", 4, 3],
    ["0 0 * * 5#1", "Name the days by number, or the weekday by 0-6 or SUN-SAT.", 8, 3],
    ["H * * * *", "Use spec.scheduleSpreadMinutes to spread sources.", 0, 1],
    ["0 0 0 * * *", "Seconds and years cannot be given: remove them.", 0, 11],
    ["0 0 * *", 'E.g. "0 */6 * * *" is every 6 hours.', 0, 7],
    ["", 'E.g. "0 */6 * * *" is every 6 hours.', 0, 1],
    ["*/5/5 * * * *", "Write one step, e.g. */15.", 0, 5],
    ["*/0 * * * *", "Write e.g. */15.", 0, 3],
    ["*/x * * * *", "Write e.g. */15.", 0, 3],
    ["-5 * * * *", "Allowed are 0 to 59.", 0, 2],
    ["5- * * * *", "Allowed are 0 to 59.", 0, 2],
    ["1-2-3 * * * *", "Write a range as e.g. 1-5.", 0, 5],
    ["0 0 1-jan * *", "Allowed are 1 to 31.", 4, 5],
    ["0 0 0 * *", "Allowed are 1 to 31.", 4, 1],
    ["60 * * * *", "Allowed are 0 to 59.", 0, 2],
    ["0 24 * * *", "Allowed are 0 to 23.", 2, 2],
    ["0 0 * 13 *", "Allowed are 1 to 12.", 6, 2],
    ["0 0 * foo *", "Allowed are 1 to 12 or JAN to DEC.", 6, 3],
    ["TZ=UTC 0 * * * *", "Use spec.timeZone.", 0, 16],
    ["CRON_TZ=UTC 0 * * * *", "Use spec.timeZone.", 0, 21],
  ])("refuses %j", (...[text, remedy, offset, length]) => {
    expect(parseCron(text)).toMatchObject({ kind: "problem", remedy, offset, length });
  });

  it.each(["@every .5h", "@every -1h", "@every 500ms", "@every 0"])(
    "refuses %j, which the API server takes",
    (text) => {
      expect(parseCron(text).kind).toBe("problem");
    },
  );
});

describe("what a schedule means", () => {
  it.each([
    ["0 */6 * * *", "every 6 hours, at minute 0"],
    ["17 * * * *", "every hour, at minute 17"],
    ["@hourly", "every hour, at minute 0"],
    ["* * * * *", "every minute"],
    ["*/15 * * * *", "every 15 minutes"],
    ["*/20 8-17 * * 1-5", "every 20 minutes in the hours 8 to 17 on Monday to Friday"],
    ["30 2 * * *", "every day at 02:30"],
    ["0 6,18 * * MON-FRI", "at 06:00 and 18:00 on Monday to Friday"],
    ["0 */5 * * *", "every day at 00:00, 05:00, 10:00, 15:00 and 20:00"],
    ["15 8-17 * * *", "every day at minute 15 of the hours 8 to 17"],
    ["7,37 * * * *", "every day at minutes 7 and 37 of every hour"],
    ["@weekly", "at 00:00 on Sunday"],
    ["@monthly", "at 00:00 on day 1 of the month"],
    ["0 0 1 jan,jul *", "at 00:00 on day 1 of the month in January and July"],
    ["0 0 1 * 1", "at 00:00 on day 1 of the month, and also on Monday"],
    ["0 3 * 6-8 *", "at 03:00 in June to August"],
    ["@every 1h30m", "every 1 hour 30 minutes, counted from the run before"],
  ])("%j is %j", (text, means) => {
    expect(describeCron(understood(text))).toBe(means);
  });
});

describe("the next runs", () => {
  interface Case {
    readonly name: string;
    readonly cron: string;
    readonly zone?: string;
    readonly now: string;
    readonly expect: readonly string[];
  }
  const cases: readonly Case[] = [
    {
      name: "in UTC",
      cron: "0 */6 * * *",
      now: "2026-11-30T17:59:59Z",
      expect: ["2026-11-30T18:00Z", "2026-12-01T00:00Z", "2026-12-01T06:00Z"],
    },
    {
      name: "a run due now is past",
      cron: "0 */6 * * *",
      now: "2026-11-30T18:00:00Z",
      expect: ["2026-12-01T00:00Z", "2026-12-01T06:00Z", "2026-12-01T12:00Z"],
    },
    {
      name: "in the source's zone",
      cron: "30 2 * * *",
      zone: "America/Chicago",
      now: "2026-11-30T12:00:00Z",
      expect: ["2026-12-01T08:30Z", "2026-12-02T08:30Z", "2026-12-03T08:30Z"],
    },
    {
      name: "a half-hour zone",
      cron: "0 0 * * *",
      zone: "Asia/Kolkata",
      now: "2026-11-30T12:00:00Z",
      expect: ["2026-11-30T18:30Z", "2026-12-01T18:30Z", "2026-12-02T18:30Z"],
    },
    {
      name: "a zone a day ahead",
      cron: "0 0 * * MON",
      zone: "Pacific/Kiritimati",
      now: "2026-11-30T12:00:00Z",
      expect: ["2026-12-06T10:00Z", "2026-12-13T10:00Z", "2026-12-20T10:00Z"],
    },
    {
      name: "a time that does not exist that day is left out",
      cron: "30 2 * * *",
      zone: "America/New_York",
      now: "2026-03-07T12:00:00Z",
      expect: ["2026-03-09T06:30Z", "2026-03-10T06:30Z", "2026-03-11T06:30Z"],
    },
    {
      name: "a time that comes twice runs twice",
      cron: "30 1 * * *",
      zone: "America/New_York",
      now: "2026-10-31T12:00:00Z",
      expect: ["2026-11-01T05:30Z", "2026-11-01T06:30Z", "2026-11-02T06:30Z"],
    },
    {
      name: "the hour before midnight that comes twice",
      cron: "30 23 * * *",
      zone: "America/Havana",
      now: "2026-10-31T12:00:00Z",
      expect: ["2026-11-01T03:30Z", "2026-11-02T04:30Z", "2026-11-03T04:30Z"],
    },
    {
      name: "clocks set back at midnight",
      cron: "30 0 * * *",
      zone: "America/Havana",
      now: "2026-10-31T12:00:00Z",
      expect: ["2026-11-01T04:30Z", "2026-11-01T05:30Z", "2026-11-02T05:30Z"],
    },
    { name: "a leap day", cron: "0 0 29 2 *", now: "2026-11-30T12:00:00Z", expect: ["2028-02-29T00:00Z"] },
    { name: "31 February never comes", cron: "0 0 31 2 *", now: "2026-11-30T12:00:00Z", expect: [] },
    { name: "a list of nothing never comes", cron: "0 0 * * ,", now: "2026-11-30T12:00:00Z", expect: [] },
    {
      name: "both day fields: either is enough",
      cron: "0 0 1 * MON",
      now: "2026-11-28T12:00:00Z",
      expect: ["2026-11-30T00:00Z", "2026-12-01T00:00Z", "2026-12-07T00:00Z"],
    },
    {
      name: "a stepped star counts as a day field of its own",
      cron: "0 0 */20 * MON",
      now: "2026-11-30T12:00:00Z",
      expect: ["2026-12-01T00:00Z", "2026-12-07T00:00Z", "2026-12-14T00:00Z"],
    },
    {
      name: "a star with step 1 does not",
      cron: "0 0 */1 * MON",
      now: "2026-11-30T12:00:00Z",
      expect: ["2026-12-07T00:00Z", "2026-12-14T00:00Z", "2026-12-21T00:00Z"],
    },
    {
      name: "@every counts from now",
      cron: "@every 90m",
      now: "2026-11-30T12:00:00Z",
      expect: ["2026-11-30T13:30Z", "2026-11-30T15:00Z", "2026-11-30T16:30Z"],
    },
    {
      name: "over the end of a year",
      cron: "0 0 1 1 *",
      now: "2026-11-30T12:00:00Z",
      expect: ["2027-01-01T00:00Z", "2028-01-01T00:00Z", "2029-01-01T00:00Z"],
    },
  ];
  it.each(cases)("$name", ({ cron, zone = "Etc/UTC", now, expect: expected }) => {
    const runs = nextRuns({ cron: understood(cron), timeZone: zone, now: new Date(now) }, 3);
    expect(runs.map((run) => run.toISOString().replace(":00.000", ""))).toEqual(expected);
  });
});

describe("time zones", () => {
  it.each([
    "Etc/UTC",
    "UTC",
    "Europe/Berlin",
    "America/Argentina/Buenos_Aires",
    "US/Eastern",
    "EST5EDT",
    "Asia/Calcutta",
  ])("%s is one", (zone) => {
    expect(isTimeZone(zone)).toBe(true);
  });
  it.each([
    "Local",
    "europe/berlin",
    "Europe/berlin",
    "EUROPE/BERLIN",
    "Europe/Nowhere",
    "+01:00",
    "",
    "Europe/Berlin ",
    "PST",
    "BST",
    "SystemV/PST8PDT",
    "US/Pacific-New",
  ])("%j is none", (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });
});
