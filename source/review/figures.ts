/** Numbers and values in the sentences of a review. */
import { count } from "../figures.js";
import { parseAddress } from "../address.js";

export { bytes, count, plural } from "../figures.js";

/** 31 s, 4 min, 2.5 h, 3 days. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${String(Math.round(seconds))} s`;
  if (seconds < 5400) return `${String(Math.round(seconds / 60))} min`;
  if (seconds < 172_800) return `${String(Math.round(seconds / 360) / 10)} h`;
  return `${count(Math.round(seconds / 8640) / 10)} days`;
}

/** At most `most` names: "a, b and c", "a, b, c and 12 others". */
export function list(names: readonly string[], most = 5): string {
  const shown =
    names.length > most ? [...names.slice(0, most - 1), `${count(names.length - most + 1)} others`] : names;
  if (shown.length < 2) return shown.join("");
  return `${shown.slice(0, -1).join(", ")} and ${String(shown.at(-1))}`;
}

/** Longer than any name people give; a stranger may write more. */
const MAX_VALUE = 80;
const MAX_FILE = 200;

/** A value from outside in a sentence: one line of at most `most` characters, so that it never hides the sentence. */
export function valueText(value: unknown, most = MAX_VALUE): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const points = Array.from(text.replace(/\s+/g, " "));
  return points.length <= most ? points.join("") : `${points.slice(0, most - 1).join("")}…`;
}

/** A path in a sentence: longer than a value, because its end is what matters. */
export function fileText(path: string): string {
  return valueText(path, MAX_FILE);
}

/** Host and path of an address; what may be a secret (user, query) is left out. */
export function addressText(address: string): string {
  const url = parseAddress(address);
  if (url === undefined) return "an address that is none";
  const { protocol, host, pathname, search } = url;
  return valueText(`${protocol}//${host}${pathname}${search === "" ? "" : "?…"}`);
}

/** 10 MiB, 1.5 MiB, 500 B: the units in which limits are written. */
export function binaryBytes(n: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  let value = n;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${count(Math.round(value * 10) / 10)} ${units[unit] ?? "GiB"}`;
}

/** 24 → "24 times a day", 1 → "once a day", 0.714 → "5 times a week", 0.033 → "once in 30 days", 0 → "never". */
export function timesADay(n: number): string {
  if (n === 0) return "never";
  if (n < 1) return lessThanDaily(n);
  return n === 1 ? "once a day" : `${count(Math.round(n * 10) / 10)} times a day`;
}

/** `n` is rounded to the thousandth, so a week is hit to within some hundredths. */
function lessThanDaily(n: number): string {
  const aWeek = Math.round(n * 7);
  if (aWeek >= 1 && Math.abs(n * 7 - aWeek) < 0.02)
    return aWeek === 1 ? "once a week" : `${String(aWeek)} times a week`;
  return `once in ${count(Math.round(1 / n))} days`;
}
