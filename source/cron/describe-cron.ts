import type { Cron, CronField, CronFields } from "./cron.js";

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/** More single times than this are told by their fields. */
const MAX_TIMES = 6;

/** What a schedule means, in words that follow "runs": "every 6 hours, at minute 0", "every day at 02:30". */
export function describeCron(cron: Cron): string {
  const known = described.get(cron);
  if (known !== undefined) return known;
  const words = wordsOf(cron);
  described.set(cron, words);
  return words;
}

/** Sources with one schedule share it as one object (parseCron). */
const described = new WeakMap<Cron, string>();

function wordsOf(cron: Cron): string {
  if (cron.kind === "every") return `every ${duration(cron.seconds)}, counted from the run before`;
  const days = describeDays(cron);
  const times = describeTimes(cron);
  return [times.startsWith("at ") && days === "" ? "every day" : "", times, days]
    .filter((part) => part !== "")
    .join(" ");
}

function describeTimes({ hour, minute }: CronFields): string {
  const hours = [...hour.values].sort(ascending);
  const minutes = [...minute.values].sort(ascending);
  const hourStep = stepOf(hours, 24);
  const minuteStep = stepOf(minutes, 60);
  if (minutes.length === 1 && hourStep !== undefined)
    return `every ${hourStep === 1 ? "hour" : `${String(hourStep)} hours`}, at minute ${String(minutes[0])}`;
  if (minuteStep !== undefined)
    return `every ${minuteStep === 1 ? "minute" : `${String(minuteStep)} minutes`}${duringHours(hours)}`;
  if (hours.length * minutes.length <= MAX_TIMES) return `at ${and(clockTimes(hours, minutes))}`;
  const each = hourStep === 1 ? "every hour" : `the hours ${and(ranges(hours, String))}`;
  return `at ${minutes.length === 1 ? "minute" : "minutes"} ${and(ranges(minutes, String))} of ${each}`;
}

function duringHours(hours: readonly number[]): string {
  if (hours.length === 24) return "";
  return ` in the ${hours.length === 1 ? "hour" : "hours"} ${and(ranges(hours, String))}`;
}

function clockTimes(hours: readonly number[], minutes: readonly number[]): readonly string[] {
  return hours.flatMap((h) => minutes.map((m) => `${pad(h)}:${pad(m)}`));
}

function describeDays({ day, month, weekday }: CronFields): string {
  const inMonths = all(month, 12) ? "" : ` in ${and(ranges(sorted(month), (m) => MONTHS[m - 1] ?? ""))}`;
  const byDay = `on day ${and(ranges(sorted(day), String))} of the month`;
  const byWeekday = `on ${and(ranges(sorted(weekday), (d) => WEEKDAYS[d] ?? ""))}`;
  const anyDay = day.any || all(day, 31);
  const anyWeekday = weekday.any || all(weekday, 7);
  if (anyDay && anyWeekday) return inMonths.trim();
  if (anyDay) return `${byWeekday}${inMonths}`;
  if (anyWeekday) return `${byDay}${inMonths}`;
  return `${byDay}${inMonths}, and also ${byWeekday}${inMonths}`;
}

/** n when the values are 0, n, 2n, … and the last step over the end is n too; else undefined. */
function stepOf(values: readonly number[], size: number): number | undefined {
  const step = size / values.length;
  return values.length > 1 && Number.isInteger(step) && values.every((value, i) => value === i * step)
    ? step
    : undefined;
}

/** 1, 2, 3, 5 → "1 to 3", "5". */
function ranges(values: readonly number[], name: (value: number) => string): readonly string[] {
  const parts: string[] = [];
  for (let i = 0; i < values.length; i += 1) {
    const first = values[i] ?? 0;
    let last = first;
    while (values[i + 1] === last + 1) {
      last += 1;
      i += 1;
    }
    if (last - first > 1) parts.push(`${name(first)} to ${name(last)}`);
    else parts.push(...(last === first ? [name(first)] : [name(first), name(last)]));
  }
  return parts;
}

function duration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), "hour"],
    [Math.floor((seconds % 3600) / 60), "minute"],
    [seconds % 60, "second"],
  ] as const;
  const told = parts
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n === 1 ? "1" : String(n)} ${unit}${n === 1 ? "" : "s"}`);
  return told.join(" ");
}

function all(field: CronField, size: number): boolean {
  return field.values.size === size;
}

function sorted(field: CronField): readonly number[] {
  return [...field.values].sort(ascending);
}

function ascending(a: number, b: number): number {
  return a - b;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}

function and(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}`;
}
