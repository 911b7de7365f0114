/** Formatters are costly to make; a run meets a handful of zones. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATTERS = 100;

/** Names the engine takes from before there was an IANA list. The API server, which reads that list, knows none of them. */
const ENGINE_ONLY = new Set(
  "ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST US/Pacific-New Canada/East-Saskatchewan".split(
    " ",
  ),
);

const NAME = /^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/;

/** Is this the name of an IANA time zone, in the spelling the API server wants (case counts there, and Local is refused)? */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name) || name === "Local") return false;
  if (ENGINE_ONLY.has(name) || name.startsWith("SystemV/")) return false;
  try {
    formatter(name);
  } catch {
    return false;
  }
  // The engine does not mind case: compare with its own spelling where it lists the name.
  const spelling = spellingOf(name);
  return spelling === undefined || spelling === name;
}

/** The right spelling of a name written in wrong case, or undefined when the engine does not list it. */
export function spellingOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  return timeZoneNames().find((each) => each.toLowerCase() === lower);
}

/** The engine makes its list anew each time it is asked, which costs a millisecond. */
let listed: readonly string[] | undefined;

/** Names the engine lists (without old aliases, which are accepted too). */
export function timeZoneNames(): readonly string[] {
  listed ??= ["Etc/UTC", "UTC", ...Intl.supportedValuesOf("timeZone")];
  return listed;
}

/** Milliseconds a clock in this zone is ahead of UTC at this instant. Throws RangeError for an unknown zone. */
export function zoneOffset(timeZone: string, instant: number): number {
  // Most schedules are in UTC, and asking the engine costs microseconds that are asked for thousands of times.
  if (timeZone === "Etc/UTC" || timeZone === "UTC") return 0;
  const known = offsets.get(timeZone)?.get(instant);
  if (known !== undefined) return known;
  const offset = askedOffset(timeZone, instant);
  remember(timeZone, instant, offset);
  return offset;
}

/** Sources that are planned at one moment ask for the same midnights again and again. */
const offsets = new Map<string, Map<number, number>>();
const MAX_OFFSETS = 4096;

function remember(timeZone: string, instant: number, offset: number): void {
  const ofZone = offsets.get(timeZone) ?? new Map<number, number>();
  if (ofZone.size >= MAX_OFFSETS) ofZone.clear();
  ofZone.set(instant, offset);
  if (offsets.has(timeZone) || offsets.size < MAX_FORMATTERS) offsets.set(timeZone, ofZone);
}

function askedOffset(timeZone: string, instant: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatter(timeZone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const shown = Date.UTC(year, month - 1, day, hour, minute, second);
  return shown - Math.floor(instant / 1000) * 1000;
}

function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  if (formatters.size < MAX_FORMATTERS) formatters.set(timeZone, made);
  return made;
}
