/** `Retry-After` in both forms (RFC 9110 §10.2.3). */
import type { HttpResponse } from "../http.js";

const SECOND = 1000;
/** Zero or a date already past still asks for quiet: never at once (case log, rule 5). */
const FLOOR_MS = SECOND;
/** A ban is honoured in full up to a week; beyond it one request a week harms nobody and finds out whether it still stands. */
const CAP_MS = 7 * 86_400 * SECOND;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Milliseconds of quiet the answer asks for, between one second and a week; undefined when it asks for none, or says junk. */
export function retryAfterOf(response: Pick<HttpResponse, "headers">, now: number): number | undefined {
  return parseRetryAfter(response.headers["retry-after"], { now, date: response.headers["date"] });
}

/**
 * `now` is our clock in ms. A date is measured against `date`, the answer's own Date header, so that a source whose
 * clock is wrong still gets the quiet it meant (case C75); without a readable one, against `now`.
 */
export function parseRetryAfter(
  value: string | undefined,
  clock: { readonly now: number; readonly date?: string | undefined },
): number | undefined {
  const text = value?.trim() ?? "";
  // A header sent twice arrives joined: the longer quiet is the safer reading.
  if (/^\d{1,15}(\s*,\s*\d{1,15})*$/.test(text)) {
    return clamp(Math.max(...text.split(",").map(Number)) * SECOND);
  }
  const until = parseHttpDate(text);
  if (until === undefined) return undefined;
  return clamp(until - (parseHttpDate(clock.date ?? "") ?? clock.now));
}

function clamp(ms: number): number {
  return Math.min(CAP_MS, Math.max(FLOOR_MS, ms));
}

/** The three forms of HTTP-date (RFC 9110 §5.6.7), in ms since 1970; undefined for anything else. */
export function parseHttpDate(text: string): number | undefined {
  const zone = "(?:GMT|UTC|Z|[+-]0000)";
  const common = new RegExp(
    `^(?:[a-z]{3,9},?\\s+)?(\\d{1,2})[ -]([a-z]{3})[ -](\\d{4}|\\d{2})\\s+(\\d\\d:\\d\\d:\\d\\d)\\s+${zone}$`,
    "i",
  ).exec(text.trim());
  if (common !== null) return instant({ day: common[1], month: common[2], year: common[3], time: common[4] });
  const asctime = /^[a-z]{3}\s+([a-z]{3})\s+(\d{1,2})\s+(\d\d:\d\d:\d\d)\s+(\d{4})$/i.exec(text.trim());
  if (asctime !== null)
    return instant({ day: asctime[2], month: asctime[1], year: asctime[4], time: asctime[3] });
  return undefined;
}

interface Parts {
  readonly day: string | undefined;
  readonly month: string | undefined;
  readonly year: string | undefined;
  /** hh:mm:ss */
  readonly time: string | undefined;
}

function instant({ day = "", month = "", year = "", time = "" }: Parts): number | undefined {
  const monthIndex = MONTHS.indexOf(month.toLowerCase());
  if (monthIndex < 0 || !/^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)$/.test(time)) return undefined;
  const midnight = Date.UTC(fullYear(year), monthIndex, Number(day));
  // 31 April would become 1 May.
  if (new Date(midnight).getUTCDate() !== Number(day)) return undefined;
  const [hours, minutes, seconds] = time.split(":").map(Number) as [number, number, number];
  return midnight + ((hours * 60 + minutes) * 60 + seconds) * SECOND;
}

/** RFC 850 years have two digits: 70 to 99 are of the last century. */
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  return year >= 70 ? 1900 + year : 2000 + year;
}
