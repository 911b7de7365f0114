import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextRuns, parseCron, shiftSchedule, type Cron } from "./cron.js";
import { spreadSchedule } from "./spread.js";

const MINUTE = 60_000;

function understood(text: string): Cron {
  const cron = parseCron(text);
  if (cron.kind === "problem") throw new Error(`${text}: ${cron.sentence}`);
  return cron;
}

describe("a schedule some minutes later", () => {
  it.each([
    ["0 */6 * * *", 0, "0 */6 * * *"],
    ["@daily", 0, "@daily"],
    ["0 */6 * * *", 17, "17 */6 * * *"],
    ["0 */6 * * *", 77, "17 1-19/6 * * *"],
    ["50 */6 * * *", 20, "10 1-19/6 * * *"],
    ["0  0\t* * *", 5, "5 0 * * *"],
    ["@hourly", 7, "7 * * * *"],
    ["@daily", 90, "30 1 * * *"],
    ["@weekly", 5, "5 0 * * 0"],
    ["@monthly", 719, "59 11 1 * *"],
    ["@yearly", 5, "5 0 1 1 *"],
    ["*/15 * * * *", 4, "4-49/15 * * * *"],
    ["*/15 * * * *", 20, "5-50/15 * * * *"],
    ["* * * * *", 3, "* * * * *"],
    ["0,30 * * * *", 45, "15,45 * * * *"],
    ["0,30 8-17 * * *", 20, "20,50 8-17 * * *"],
    ["0 20 * * *", 300, "0 1 * * *"],
    ["0 8,20 * * *", 300, "0 1,13 * * *"],
    ["*/20 8-17 * * MON-FRI", 5, "5-45/20 8-17 * * MON-FRI"],
    ["50 23 * * MON", 20, "10 0 * * TUE"],
    ["50 23 * * 6", 20, "10 0 * * 0"],
    ["50 23 * * MON-FRI", 20, "10 0 * * TUE-SAT"],
    ["50 23 * * fri,sat", 20, "10 0 * * SUN,SAT"],
    ["0 22,23 * * MON", 120, "0 0,1 * * TUE"],
    ["55 23 31 12 *", 10, "5 0 1 1 *"],
    ["55 23 31 DEC *", 10, "5 0 1 JAN *"],
    ["55 23 31 * *", 10, "5 0 1 1,2,4,6,8,9,11 *"],
    ["55 23 1 * *", 10, "5 0 2 * *"],
    ["55 23 1,15 * *", 10, "5 0 2,16 * *"],
    ["55 23 28-31 * *", 10, "5 0 1,29-31 * *"],
    ["55 23 27 2 *", 10, "5 0 28 2 *"],
    ["55 23 30 1 *", 10, "5 0 31 1 *"],
    ["55 23 1 * MON", 10, "5 0 2 * TUE"],
    ["55 23 1-31 * MON", 10, "5 0 1-31 * MON"],
    ["55 23 * * 0-6", 10, "5 0 * * 0-6"],
    ["55 23 , * MON", 10, "5 0 * * TUE"],
    ["5 0 31 2 *", 10, "15 0 31 2 *"],
  ])("%j + %i min is %j", (text, minutes, expected) => {
    expect(shiftSchedule(text, minutes)).toBe(expected);
  });

  it.each([
    ["@every counts from the run before", "@every 6h", 5],
    ["only the last run passes midnight", "*/15 * * * MON", 20],
    ["only some hours pass midnight", "0 8,20 * * MON", 300],
    ["only some minutes pass the hour", "0,30 8-17 * * *", 45],
    ["after 28 February comes the 29th or 1 March", "55 23 28 2 *", 10],
    ["29 February does not come each year", "55 23 29 2 *", 10],
    ["28 February again", "55 23 28 * *", 10],
    ["after 30 comes the 31st or the first", "55 23 30 * *", 10],
    ["the last Monday in June is followed by a Tuesday in July", "55 23 * 6 MON", 10],
    ["the days of June would become 2 June to 1 July", "55 23 * 6 *", 10],
    ["weekday and month's end", "55 23 31 * MON", 10],
    ["it never runs, so there is no day after", "55 23 31 2 *", 10],
    ["no minutes at all", ", * * * *", 10],
    ["no such schedule", "0 24 * * *", 10],
    ["a whole day", "0 0 * * *", 1440],
    ["backwards", "0 0 * * *", -1],
    [
      "longer than a schedule may be",
      "0,2,4,6,8,10,12,14,16,18,20,22,24,27,29,31,33,35,37,39,41,43,45,47,49,51,53,55 0,2,4,6,8,10,13,15,17,19,21 1,3,5,7,9,11,14 1,2,4,5 MON",
      63,
    ],
  ])("cannot be said where %s", (_why, text, minutes) => {
    expect(shiftSchedule(text, minutes)).toBeUndefined();
  });

  /** Zones whose clocks never change, with odd offsets, over more than a year that holds a 29 February. */
  const steady = fc.constantFrom(
    "Etc/UTC",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Pacific/Kiritimati",
    "America/Phoenix",
  );
  const list = (min: number, max: number) =>
    fc
      .uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 })
      .map((values) => values.map(String).join(","));
  const field = (min: number, max: number) =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant("*") },
      { weight: 3, arbitrary: list(min, max) },
      fc.integer({ min: 2, max: 9 }).map((step) => `*/${String(step)}`),
      fc
        .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
        .map(([a, b]) => `${String(Math.min(a, b))}-${String(Math.max(a, b))}`),
    );
  const schedules = fc
    .tuple(field(0, 59), fc.oneof(field(0, 23), fc.constant("23")), field(1, 31), field(1, 12), field(0, 6))
    .map((fields) => fields.join(" "));
  const starts = fc
    .integer({ min: 0, max: 1200 })
    .map((days) => new Date(Date.UTC(2026, 10, 30) + days * 24 * 60 * MINUTE));

  const questions = fc.record({
    text: schedules,
    minutes: fc.integer({ min: 1, max: 719 }),
    timeZone: steady,
    now: starts,
  });

  it("runs exactly when the other does, plus the minutes", () => {
    fc.assert(
      fc.property(questions, (question) => {
        const later = shiftSchedule(question.text, question.minutes);
        fc.pre(later !== undefined);
        sameRuns({ ...question, later }, 150);
      }),
      { numRuns: 250 },
    );
  });

  it.each([
    ["America/Chicago", "2027-03-20T00:00:00Z", 200],
    ["Europe/Berlin", "2027-11-05T00:00:00Z", 120],
    ["Australia/Lord_Howe", "2027-04-10T00:00:00Z", 150],
  ])("does so in %s between two changes of the clocks", (timeZone, from, days) => {
    const now = new Date(from);
    const until = now.getTime() + days * 24 * 60 * MINUTE;
    fc.assert(
      fc.property(schedules, fc.integer({ min: 1, max: 719 }), (text, minutes) => {
        const later = shiftSchedule(text, minutes);
        fc.pre(later !== undefined);
        sameRuns({ text, later, minutes, timeZone, now, until }, 60);
      }),
      { numRuns: 100 },
    );
  });

  function sameRuns(
    question: {
      readonly text: string;
      readonly later: string;
      readonly minutes: number;
      readonly timeZone: string;
      readonly now: Date;
      readonly until?: number;
    },
    count: number,
  ) {
    const { text, later, minutes, timeZone, now, until = Infinity } = question;
    const then = new Date(now.getTime() + minutes * MINUTE);
    const before = nextRuns({ cron: understood(text), timeZone, now }, count).map(
      (run) => run.getTime() + minutes * MINUTE,
    );
    const after = nextRuns({ cron: understood(later), timeZone, now: then }, count).map((run) =>
      run.getTime(),
    );
    // Schedules that hardly run are looked for until a year's end that is not the same for both.
    const shared = Math.min(before.length, after.length);
    expect(Math.abs(before.length - after.length)).toBeLessThanOrEqual(1);
    expect(
      after.slice(0, shared).filter((run) => run < until),
      `${text} → ${later}`,
    ).toEqual(before.slice(0, shared).filter((run) => run < until));
  }
});

describe("the spread of sources", () => {
  function source(name: string, schedule: string, scheduleSpreadMinutes: number) {
    return { metadata: { name }, spec: { schedule, scheduleSpreadMinutes } };
  }

  it.each([0, 1])("is the very text for a width of %i", (width) => {
    expect(spreadSchedule(source("state", " 0  */6 * * *", width))).toEqual({
      schedule: " 0  */6 * * *",
      offsetMinutes: 0,
    });
  });

  // SHA-256 of "state" begins with 4ba69735, which is 25 modulo 60 and 5 modulo 20.
  it("depends on the name alone", () => {
    const expected = { schedule: "25 */6 * * *", offsetMinutes: 25 };
    const metadata = { name: "state", namespace: "harvest" };
    expect(spreadSchedule(source("state", "0 */6 * * *", 60))).toEqual(expected);
    expect(spreadSchedule({ ...source("state", "0 */6 * * *", 60), metadata })).toEqual(expected);
    expect(spreadSchedule(source("state", "50 23 * * MON", 20)).schedule).toBe("55 23 * * MON");
  });

  it("is even over the window, whose end is not in it", () => {
    const offsets = Array.from(
      { length: 3000 },
      (_, i) => spreadSchedule(source(`s${String(i)}`, "0 */6 * * *", 60)).offsetMinutes,
    );
    const counts = Array.from(
      { length: 61 },
      (_, minute) => offsets.filter((offset) => offset === minute).length,
    );
    expect(counts[60]).toBe(0);
    expect(Math.min(...counts.slice(0, 60))).toBeGreaterThan(25);
    expect(Math.max(...counts)).toBeLessThan(85);
  });

  it("uses only what can be said exactly, and all of it", () => {
    const offsets = Array.from(
      { length: 150 },
      (_, i) => spreadSchedule(source(`s${String(i)}`, "*/15 * * * MON", 60)).offsetMinutes,
    );
    expect([...new Set(offsets)].sort((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    ]);
  });

  it("leaves what cannot be shifted as it is written", () => {
    expect(spreadSchedule(source("state", "@every 6h", 60))).toEqual({
      schedule: "@every 6h",
      offsetMinutes: 0,
    });
    expect(spreadSchedule(source("state", "61 * * * *", 60))).toEqual({
      schedule: "61 * * * *",
      offsetMinutes: 0,
    });
  });
});
