import { fieldRanges } from "./cron-field.js";
import type { CronField, CronFields } from "./cron.js";
import { expandMacro, parseCron } from "./parse-cron.js";
import { dayAfter, isEveryDay, scheduleDays, type ScheduleDays } from "./shift-days.js";
import { writeField } from "./write-field.js";

const DAY = 24 * 60;
/** As long as spec.schedule may be, and status.installedSchedule. */
const MAX_LENGTH = 128;

/** What is left as it was keeps the words it was written with. */
type Values = ReadonlySet<number> | "as written";

interface ShiftedTimes {
  readonly minute: ReadonlySet<number>;
  readonly hour: ReadonlySet<number>;
  readonly nextDay: boolean;
}

/** A schedule so many minutes later (0 to 1439), or undefined. */
type Shift = (minutes: number) => string | undefined;

/**
 * The schedule whose runs come exactly so many minutes after those of `text` (0 to 1439), by the clock of its time zone;
 * undefined where no single five-field schedule says that: @every, a list of times of which only some pass midnight, days
 * of a month whose followers are no fixed days. 0 minutes = `text` itself.
 */
export function shiftSchedule(text: string, minutes: number): string | undefined {
  return shiftsOf(text)(minutes);
}

/** shiftSchedule for many shifts of one schedule: what does not depend on the minutes is worked out once. */
export function shiftsOf(text: string): Shift {
  const cron = parseCron(text);
  if (cron.kind !== "fields") return (minutes) => (minutes === 0 ? text : undefined);
  const days = scheduleDays(cron);
  const everyDay = isEveryDay(days);
  const following = dayAfter(days);
  return (minutes) => {
    if (minutes === 0) return text;
    const times = minutes < 0 || minutes >= DAY ? undefined : shiftTimes(cron, minutes, everyDay);
    const shiftedDays = times?.nextDay === true ? following : "as written";
    if (times === undefined || shiftedDays === undefined) return undefined;
    const written = write(cron, expandMacro(text), [times.minute, times.hour, ...dayValues(shiftedDays)]);
    return written.length <= MAX_LENGTH ? written : undefined;
  };
}

/**
 * Times are the product of minutes and hours. Some minutes pass the full hour and others do not, so there are two groups;
 * together they are a product again only when both have the same hours.
 */
function shiftTimes(cron: CronFields, minutes: number, everyDay: boolean): ShiftedTimes | undefined {
  const rest = minutes % 60;
  const groups = [0, 1]
    .map((over) => ({
      minutes: [...cron.minute.values].filter((minute) => Math.floor((minute + rest) / 60) === over),
      hours: [...cron.hour.values].map((hour) => hour + Math.floor(minutes / 60) + over),
    }))
    .filter((group) => group.minutes.length > 0 && group.hours.length > 0);
  const [first, second] = groups.map(({ hours }) => new Set(hours.map((hour) => hour % 24)));
  if (first === undefined || (second !== undefined && !same(first, second))) return undefined;
  const days = new Set(groups.flatMap(({ hours }) => hours.map((hour) => hour >= 24)));
  if (!everyDay && days.size > 1) return undefined;
  return {
    minute: new Set([...cron.minute.values].map((minute) => (minute + rest) % 60)),
    hour: first,
    nextDay: !everyDay && days.has(true),
  };
}

/** Day, month, weekday. A field that does not restrict is a `*`. */
function dayValues(days: ScheduleDays | "as written"): readonly Values[] {
  if (days === "as written") return [days, days, days];
  return [days.days, days.months, days.weekdays];
}

function write(cron: CronFields, text: string, fields: readonly Values[]): string {
  const words = text.trim().split(/\s+/);
  const before: readonly CronField[] = [cron.minute, cron.hour, cron.day, cron.month, cron.weekday];
  return fieldRanges
    .map((range, i) => {
      const values = fields[i] ?? "as written";
      const word = words[i] ?? "*";
      const time = range.name === "minute" || range.name === "hour";
      if (values === "as written" || (time && same(values, before[i]?.values ?? new Set()))) return word;
      return writeField(values, { range, named: range.names.length > 0 && /[a-z]/i.test(word) });
    })
    .join(" ");
}

function same(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every((value) => b.has(value));
}
