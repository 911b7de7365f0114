/** Reading single values: text, dates, numbers, addresses. Each answers undefined for what it cannot read. */
import { MAX_URL_LENGTH } from "./limits.js";
import { isAddress } from "../../source/address.js";

/** White space folded to single blanks: for what is one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** White space folded inside lines; paragraphs stay, with at most one empty line between them. */
export function paragraphs(text: string): string {
  if (!text.includes("\n")) return oneLine(text);
  const lines = text.split(/\r?\n/).map(oneLine);
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const DATE =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d))?|(\d\d)(\d\d))?(?:T([01]\d|2[0-4])(?::?([0-5]\d)(?::?([0-5]\d|60)(?:[.,]\d{1,12})?)?)?)?(Z|[+-]\d\d:?\d\d)?$/;
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * A date as written, when it is one: YYYY, YYYY-MM, YYYY-MM-DD, YYYYMMDD or a date-time (ISO 8601), of the years 1
 * to 9999, with a month and day that exist.
 */
export function readableDate(text: string): string | undefined {
  const written = text.trim();
  const match = DATE.exec(written);
  if (match === null || match[1] === "0000") return undefined;
  const month = match[2] ?? match[4];
  const day = match[3] ?? match[5];
  const hasTime = match[6] !== undefined;
  if (hasTime && day === undefined) return undefined;
  return isDay(Number(match[1]), month, day) ? written : undefined;
}

function isDay(year: number, month: string | undefined, day: string | undefined): boolean {
  if (month === undefined) return true;
  const longest = DAYS[Number(month) - 1];
  if (longest === undefined) return false;
  if (day === undefined) return true;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === "02" && !leap ? 28 : longest;
  return Number(day) >= 1 && Number(day) <= days;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A finite decimal number. A decimal comma is not one: nobody can tell it from a list. */
export function readableNumber(text: string): number | undefined {
  const written = text.trim();
  if (written.length > 100 || !NUMBER.test(written)) return undefined;
  const value = Number(written);
  return Number.isFinite(value) ? value : undefined;
}

const ADDRESS = /^(?:https?|ftps?|sftp|s3):\/\/[^\s<>"\\\p{Cc}]+$/iu;

/** An absolute web address as written; undefined for anything a link must not be (relative, `javascript:` …). */
export function readableUrl(text: string): string | undefined {
  const written = text.trim();
  if (written.length > MAX_URL_LENGTH || !ADDRESS.test(written)) return undefined;
  return isAddress(written) ? written : undefined;
}

const EMAIL = /^[^\s@<>(),;:"[\]\\]{1,64}@[^\s@<>(),;:"[\]\\]{1,190}$/;

/** An e-mail address, without a leading `mailto:`. */
export function readableEmail(text: string): string | undefined {
  const written = text
    .trim()
    .replace(/^mailto:/i, "")
    .trim();
  return EMAIL.test(written) ? written : undefined;
}
