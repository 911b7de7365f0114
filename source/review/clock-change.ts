import { dayMatches } from "../cron/next-runs.js";
import { zoneOffset } from "../cron/time-zone.js";
import type { Cron, CronFields } from "../cron/cron.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A change this long after the first run is still told. */
const LOOK_AHEAD = 7 * DAY;

/** A moment at which the clocks of a zone are put forward or back. */
export interface ClockChange {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds ahead of UTC, before and after. */
  readonly before: number;
  readonly after: number;
}

interface Question {
  readonly cron: Cron;
  readonly timeZone: string;
  readonly now: Date;
  /** The first run. */
  readonly at: Date;
}

/** What a change of clocks between now and a week after the first run does to the runs; undefined = there is none. */
export function clockChangeNote({ cron, timeZone, now, at }: Question): string | undefined {
  // Counted from the run before, whatever clocks show.
  if (cron.kind === "every") return undefined;
  const change = firstClockChange(timeZone, now.getTime(), at.getTime() + LOOK_AHEAD);
  if (change === undefined) return undefined;
  const said = `clocks go ${change.after > change.before ? "forward" : "back"} ${shiftText(change)} on ${localText(change)}`;
  const touched = touchedTimes(cron, change);
  const [first] = touched;
  if (first === undefined)
    return `${said}, so in UTC runs are ${shiftText(change)} ${earlierOrLater(change)} from then on`;
  const which =
    touched.length === 1 ? `the run at ${first} is` : `${String(touched.length)} runs from ${first} on are`;
  return change.after > change.before
    ? `${said}: ${which} left out that day`
    : `${said}: ${which} made twice that day`;
}

/** The first change in (from, to], to the minute. */
export function firstClockChange(timeZone: string, from: number, to: number): ClockChange | undefined {
  const before = zoneOffset(timeZone, from);
  for (let step = from; step < to; step += DAY) {
    const end = Math.min(step + DAY, to);
    const after = zoneOffset(timeZone, end);
    if (after !== before) return { at: edge(timeZone, step, end), before, after };
  }
  return undefined;
}

function edge(timeZone: string, from: number, to: number): number {
  const before = zoneOffset(timeZone, from);
  let low = Math.floor(from / MINUTE);
  let high = Math.ceil(to / MINUTE);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zoneOffset(timeZone, middle * MINUTE) === before) low = middle;
    else high = middle;
  }
  return high * MINUTE;
}

/** Times of day of the schedule that this change leaves out or brings twice, in order, e.g. 02:30. */
export function touchedTimes(cron: CronFields, { at, before, after }: ClockChange): readonly string[] {
  const from = at + Math.min(before, after);
  const to = at + Math.max(before, after);
  const found: string[] = [];
  for (let local = from; local < to; local += MINUTE) {
    const shown = new Date(local);
    const runs =
      dayMatches(cron, shown) &&
      cron.hour.values.has(shown.getUTCHours()) &&
      cron.minute.values.has(shown.getUTCMinutes());
    if (runs) found.push(shown.toISOString().slice(11, 16));
  }
  return found;
}

/** As clocks show it just before the change. */
function localText({ at, before }: ClockChange): string {
  return new Date(at + before).toISOString().slice(0, 16).replace("T", " ");
}

function shiftText({ before, after }: ClockChange): string {
  const minutes = Math.abs(after - before) / MINUTE;
  return minutes % 60 === 0 ? `${String(minutes / 60)} h` : `${String(minutes)} min`;
}

function earlierOrLater({ before, after }: ClockChange): string {
  return after > before ? "earlier" : "later";
}

/** A year is as good as any other; fixed, because a review must say the same today and tomorrow. */
const YEAR = { from: Date.UTC(2027, 0, 1), to: Date.UTC(2028, 0, 1) };

/** Looking through a year costs milliseconds, and a change may touch thousands of sources in a few zones. */
const yearly = new Map<string, readonly ClockChange[]>();
const MAX_ZONES = 100;

/** Times of day that a schedule loses, and those it makes twice, on the days of a year on which clocks change. */
export function yearlyClockChanges(
  cron: CronFields,
  timeZone: string,
): { readonly skipped: readonly string[]; readonly doubled: readonly string[] } {
  const changes = changesOfYear(timeZone);
  const forward = changes.filter(({ before, after }) => after > before);
  const back = changes.filter(({ before, after }) => after < before);
  return {
    skipped: forward.flatMap((change) => touchedTimes(cron, change)),
    doubled: back.flatMap((change) => touchedTimes(cron, change)),
  };
}

function changesOfYear(timeZone: string): readonly ClockChange[] {
  const known = yearly.get(timeZone);
  if (known !== undefined) return known;
  const found: ClockChange[] = [];
  for (let from = YEAR.from; from < YEAR.to;) {
    const change = firstClockChange(timeZone, from, YEAR.to);
    if (change === undefined) break;
    found.push(change);
    from = change.at + MINUTE;
  }
  if (yearly.size < MAX_ZONES) yearly.set(timeZone, found);
  return found;
}
