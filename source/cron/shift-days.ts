import type { CronFields } from "./cron.js";

/** The days of a schedule: those of `months` that are one of `days` or one of `weekdays`. */
export interface ScheduleDays {
  readonly months: ReadonlySet<number>;
  /** Days of the month; all 31 = every day, and then there are no weekdays. */
  readonly days: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
}

/** Lengths in a leap year: 29 February is a day that only sometimes comes. */
const LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const ALL_MONTHS = new Set(LENGTHS.map((_, i) => i + 1));
const ALL_DAYS = new Set(Array.from({ length: 31 }, (_, i) => i + 1));
const NONE: ReadonlySet<number> = new Set();

interface CalendarDate {
  readonly month: number;
  readonly day: number;
}

const CALENDAR: readonly CalendarDate[] = LENGTHS.flatMap((length, i) =>
  Array.from({ length }, (_, day) => ({ month: i + 1, day: day + 1 })),
);
const FEB_28 = 31 + 27;
const FEB_29 = FEB_28 + 1;

/** The two day fields without their rule of "and" and "or" (crontab(5)). */
export function scheduleDays({ day, month, weekday }: CronFields): ScheduleDays {
  const months = month.values;
  const weekdays = weekday.any ? NONE : weekday.values;
  const restricted = weekday.any ? ALL_DAYS : NONE;
  const days = day.any ? restricted : day.values;
  if (days.size === ALL_DAYS.size || weekdays.size === 7) return { months, days: ALL_DAYS, weekdays: NONE };
  return { months, days, weekdays };
}

export function isEveryDay({ months, days }: ScheduleDays): boolean {
  return months.size === ALL_MONTHS.size && days.size === ALL_DAYS.size;
}

/** The days after these days; undefined where three day fields cannot say exactly that. */
export function dayAfter({ months, days, weekdays }: ScheduleDays): ScheduleDays | undefined {
  if (isEveryDay({ months, days, weekdays })) return { months, days, weekdays };
  // The Monday after a Sunday in June may lie in July.
  if (weekdays.size > 0 && months.size < ALL_MONTHS.size) return undefined;
  const dates = indexes(({ month, day }) => months.has(month) && days.has(day));
  if (dates.size === 0 && weekdays.size === 0) return undefined;
  // Without its neighbour, the day after 28 February is another one in leap years, and that after the 29th does not always come.
  if (dates.has(FEB_28) !== dates.has(FEB_29)) return undefined;
  const after = [...dates].map((index) => CALENDAR[(index + 1) % CALENDAR.length] ?? { month: 1, day: 1 });
  const shifted = {
    months: weekdays.size > 0 ? ALL_MONTHS : new Set(after.map(({ month }) => month)),
    days: new Set(after.map(({ day }) => day)),
    weekdays: new Set([...weekdays].map((weekday) => (weekday + 1) % 7)),
  };
  const said = indexes(({ month, day }) => shifted.months.has(month) && shifted.days.has(day));
  return said.size === after.length ? shifted : undefined;
}

function indexes(chosen: (date: CalendarDate) => boolean): ReadonlySet<number> {
  return new Set(CALENDAR.flatMap((date, index) => (chosen(date) ? [index] : [])));
}
