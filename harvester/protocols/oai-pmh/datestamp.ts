/** Times as OAI-PMH sources write them (§3.3), and worse (case C22). */
import type { Instant } from "../../record.js";

const FORM = new RegExp(
  "^(\\d{4})-(\\d{2})-(\\d{2})" + // day
    "(?:[T ](\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d{1,12})?)?" + // time, fraction cut off
    "(Z|[+-]\\d{2}(?::?\\d{2})?)?)?$", // zone; none is taken for UTC, as the protocol knows no other
  "i",
);

function offsetMinutes(zone: string | undefined): number {
  const found = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? "");
  if (found === null) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? "0");
  return found[1] === "-" ? -minutes : minutes;
}

/** Undefined: no such time, `0000-00-00` and 30 February among them. */
export function readDatestamp(text: string | undefined): Instant | undefined {
  const found = FORM.exec((text ?? "").trim());
  if (found === null) return undefined;
  const day = readDay(part(found, 1), part(found, 2), part(found, 3));
  const [hour, minute, second] = [part(found, 4), part(found, 5), part(found, 6)];
  if (day === undefined || hour > 23 || minute > 59 || second > 60) return undefined;
  // A leap second is told as the second before it: no clock of ours has it.
  day.setUTCHours(hour, minute - offsetMinutes(found[7]), Math.min(second, 59));
  return asInstant(day);
}

function part(found: RegExpExecArray, index: number): number {
  return Number(found[index] ?? "0");
}

function readDay(year: number, month: number, day: number): Date | undefined {
  const written = new Date(0);
  written.setUTCFullYear(year, month - 1, day);
  return written.getUTCMonth() === month - 1 && written.getUTCDate() === day ? written : undefined;
}

/** Undefined outside the years 1 to 9999. */
function asInstant(time: Date): Instant | undefined {
  const text = time.toISOString();
  return text.length === 24 && !text.startsWith("0000") ? `${text.slice(0, 19)}Z` : undefined;
}

/** The Date header of HTTP (RFC 9110 §5.6.7): the server's clock too, for answers without a responseDate. */
export function readHttpDate(text: string | undefined): Instant | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : asInstant(new Date(ms));
}

/** The one place where a time is written into a request: both ends in the declared granularity (cases C19, C21). */
export function writeDatestamp(instant: Instant, granularity: "day" | "second"): string {
  return granularity === "day" ? instant.slice(0, 10) : instant;
}
