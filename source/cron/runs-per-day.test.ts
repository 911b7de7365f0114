import { describe, expect, it } from "vitest";
import { parseCron, runsPerDay } from "../cron.js";

describe("runsPerDay", () => {
  const table: readonly (readonly [string, number])[] = [
    ["0 */6 * * *", 4],
    ["*/15 * * * *", 96],
    ["@daily", 1],
    ["@every 90m", 16],
    ["@every 48h", 0.5],
    // Five days of seven.
    ["0 8,20 * * MON-FRI", 10 / 7],
    ["0 0 * * SUN", 1 / 7],
    // Twelve firsts in 365.25 days.
    ["0 0 1 * *", 12 / 365.25],
    ["0 0 29 2 *", 1 / 1461],
    // 12 firsts and 52.18 Mondays a year, less the 48 firsts in 28 years that are Mondays.
    ["0 0 1 * MON", (28 * 12 + 1461 - 48) / 10_227],
    ["0 0 31 2 *", 0],
  ];
  it.each(table)("%s", (text, expected) => {
    const cron = parseCron(text);
    if (cron.kind === "problem") throw new RangeError(cron.sentence);
    expect(runsPerDay(cron)).toBeCloseTo(expected, 9);
  });
});
