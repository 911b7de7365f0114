import type { Cron } from "./cron.js";
import { dayMatches } from "./next-runs.js";

const DAY = 24 * 3600_000;
/** Weekdays and dates come back in the same order every 28 years, so this is the average of any time, to the day. */
const DAYS = 10_227;
const FIRST_DAY = Date.UTC(2001, 0, 1);

/** Runs a day, averaged over 28 years; hours that are left out or come twice when clocks change are not counted. */
export function runsPerDay(cron: Cron): number {
  if (cron.kind === "every") return 86_400 / cron.seconds;
  const aDay = cron.hour.values.size * cron.minute.values.size;
  if (cron.day.any && cron.weekday.any && cron.month.values.size === 12) return aDay;
  let days = 0;
  for (let i = 0; i < DAYS; i += 1) if (dayMatches(cron, new Date(FIRST_DAY + i * DAY))) days += 1;
  return (aDay * days) / DAYS;
}
