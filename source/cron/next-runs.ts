import type { Cron, CronFields } from "./cron.js";
import { zoneOffset } from "./time-zone.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The API server looks no further than the end of the fifth year from now; what does not come until then never runs. */
const YEARS = 5;

interface Question {
  readonly cron: Cron;
  readonly timeZone: string;
  readonly now: Date;
}

/**
 * The next runs after `now`, at most `count` of them, oldest first; fewer when there are no more within five years.
 *
 * Where clocks change it does as the API server does: a time that does not exist that day is left out, a time that
 * comes twice runs twice. `@every` is counted from `now`, because its real origin (the last run) is not known here.
 */
export function nextRuns({ cron, timeZone, now }: Question, count: number): readonly Date[] {
  if (cron.kind === "every")
    return Array.from({ length: count }, (_, i) => new Date(now.getTime() + (i + 1) * cron.seconds * 1000));
  const answers = answersAt(cron, now);
  const question = `${String(count)} ${timeZone}`;
  const runs = answers.get(question) ?? runsOf({ cron, timeZone, now }, count);
  if (answers.size < MAX_ANSWERS) answers.set(question, runs);
  return runs;
}

type Answers = Map<string, readonly Date[]>;

/** Sources with one schedule are asked about at one moment: their runs are worked out once. */
const answered = new WeakMap<CronFields, { readonly now: number; readonly answers: Answers }>();
const MAX_ANSWERS = 50;

function answersAt(cron: CronFields, now: Date): Answers {
  const known = answered.get(cron);
  if (known?.now === now.getTime()) return known.answers;
  const answers: Answers = new Map();
  answered.set(cron, { now: now.getTime(), answers });
  return answers;
}

function runsOf(
  { cron, timeZone, now }: Question & { readonly cron: CronFields },
  count: number,
): readonly Date[] {
  const after = now.getTime();
  const found: number[] = [];
  // One day early and one day late, because a clock set back at midnight repeats the end of the day before.
  let day = Math.floor((after + zoneOffset(timeZone, after)) / DAY) * DAY - DAY;
  const lastYear = now.getUTCFullYear() + YEARS;
  for (let late = false; !late && new Date(day).getUTCFullYear() <= lastYear; day += DAY) {
    late = found.length >= count;
    if (dayMatches(cron, new Date(day)))
      found.push(...runsOfDay(cron, timeZone, day).filter((run) => run > after));
  }
  return found
    .sort((a, b) => a - b)
    .slice(0, count)
    .map((run) => new Date(run));
}

/** Every run from `from` on and before `until`, oldest first, in ms since 1970; where clocks change as nextRuns. */
export function runsBetween(
  cron: CronFields,
  timeZone: string,
  span: { readonly from: Date; readonly until: Date },
): readonly number[] {
  const [from, until] = [span.from.getTime(), span.until.getTime()];
  const found: number[] = [];
  // Two days early and late: a day here begins half a day before or after one in UTC.
  const first = Math.floor(from / DAY) * DAY - 2 * DAY;
  for (let day = first; day < until + 2 * DAY; day += DAY)
    if (dayMatches(cron, new Date(day))) found.push(...runsOfDay(cron, timeZone, day));
  return found.filter((run) => run >= from && run < until).sort((a, b) => a - b);
}

/** Both day fields must match when one of them is `*`; else one is enough (crontab(5)). */
export function dayMatches({ day, month, weekday }: CronFields, date: Date): boolean {
  if (!month.values.has(date.getUTCMonth() + 1)) return false;
  const byDay = day.values.has(date.getUTCDate());
  const byWeekday = weekday.values.has(date.getUTCDay());
  return day.any || weekday.any ? byDay && byWeekday : byDay || byWeekday;
}

/** Instants of one local day, given as if its midnight were UTC. */
function runsOfDay({ hour, minute }: CronFields, timeZone: string, day: number): readonly number[] {
  const offsets = new Set([zoneOffset(timeZone, day - 15 * HOUR), zoneOffset(timeZone, day + 39 * HOUR)]);
  const times = [...hour.values].flatMap((h) => [...minute.values].map((m) => day + h * HOUR + m * MINUTE));
  return times.flatMap((local) =>
    [...offsets]
      .filter((offset) => offsets.size === 1 || zoneOffset(timeZone, local - offset) === offset)
      .map((offset) => local - offset),
  );
}
