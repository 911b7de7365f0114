import type { CronField } from "./cron.js";

export interface FieldRange {
  readonly name: "minute" | "hour" | "day" | "month" | "weekday";
  readonly min: number;
  readonly max: number;
  /** Names for the numbers from `min` on; case does not count. */
  readonly names: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The five fields in their order, with the bounds of the parser in the API server (robfig/cron v3, standard parser). */
export const fieldRanges: readonly FieldRange[] = [
  { name: "minute", min: 0, max: 59, names: [] },
  { name: "hour", min: 0, max: 23, names: [] },
  { name: "day", min: 1, max: 31, names: [] },
  { name: "month", min: 1, max: 12, names: MONTHS },
  { name: "weekday", min: 0, max: 6, names: WEEKDAYS },
];

export interface FieldProblem {
  readonly sentence: string;
  readonly remedy: string;
}

type Result<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & FieldProblem);

interface Span {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly any: boolean;
}

/** One field as the API server reads it: parts joined by commas, each `*`, `?`, `N`, `N-M`, with or without `/step`. */
export function parseField(text: string, range: FieldRange): Result<CronField> {
  const values = new Set<number>();
  let any = false;
  // Empty parts ("1,,2") are passed over, as the API server does.
  for (const part of text.split(",").filter((each) => each !== "")) {
    const span = parseSpan(part, range);
    if (!span.ok) return span;
    const { start, end, step } = span.value;
    any ||= span.value.any;
    for (let value = start; value <= end; value += step) values.add(value);
  }
  return { ok: true, value: { values, any } };
}

function parseSpan(part: string, range: FieldRange): Result<Span> {
  const [bounds = "", stepText, ...tooMany] = part.split("/");
  if (tooMany.length > 0) return problem(`${part} has more than one /`, "Write one step, e.g. */15.");
  const step = stepText === undefined ? 1 : wholeNumber(stepText);
  if (step === undefined || step === 0)
    return problem(`the step in ${part} is no number above 0`, "Write e.g. */15.");
  const span = parseBounds(bounds, range, stepText !== undefined);
  if (!span.ok) return span;
  return { ok: true, value: { ...span.value, step, any: span.value.any && step === 1 } };
}

function parseBounds(text: string, range: FieldRange, stepped: boolean): Result<Omit<Span, "step">> {
  const [low = "", high, ...tooMany] = text.split("-");
  if (tooMany.length > 0) return problem(`${text} has more than one -`, "Write a range as e.g. 1-5.");
  if (low === "*" || low === "?") return { ok: true, value: { start: range.min, end: range.max, any: true } };
  const start = parseValue(low, range);
  if (!start.ok) return start;
  if (high === undefined) {
    // "5/15" means from 5 to the end in steps of 15.
    return { ok: true, value: { start: start.value, end: stepped ? range.max : start.value, any: false } };
  }
  const end = parseValue(high, range);
  if (!end.ok) return end;
  if (start.value > end.value) return backwards(text, range);
  return { ok: true, value: { start: start.value, end: end.value, any: false } };
}

function backwards(text: string, range: FieldRange): Result<never> {
  const [low = "", high = ""] = text.split("-");
  const first = range.names[0]?.toUpperCase() ?? String(range.min);
  const last = range.names.at(-1)?.toUpperCase() ?? String(range.max);
  return problem(`${text} goes backwards`, `Write it as two ranges: ${low}-${last},${first}-${high}.`);
}

function parseValue(text: string, range: FieldRange): Result<number> {
  const named = range.names.indexOf(text.toLowerCase());
  const value = named === -1 ? wholeNumber(text) : named + range.min;
  if (value === undefined) return unknownWord(text, range);
  if (value < range.min || value > range.max) return outOfRange(value, range);
  return { ok: true, value };
}

/** As Go's Atoi reads it, so a leading + is allowed. */
function wholeNumber(text: string): number | undefined {
  return /^\+?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function outOfRange(value: number, range: FieldRange): Result<never> {
  if (range.name === "weekday" && value === 7)
    return problem("7 is no weekday for the API server", "Sunday is 0, or SUN.");
  return problem(
    `${String(value)} is no ${range.name}`,
    `Allowed are ${String(range.min)} to ${String(range.max)}.`,
  );
}

function unknownWord(text: string, range: FieldRange): Result<never> {
  const written = text === "" ? "an empty value" : text.slice(0, 40);
  if (/^H(\(|$)/i.test(text))
    return problem(
      `${written} is Jenkins' word for "any"; the API server does not know it`,
      "Use spec.scheduleSpreadMinutes to spread sources.",
    );
  if (/^([0-9]*[LW]+|[A-Z0-9]+(#\d?|L))$/i.test(text))
    return problem(
      `${written} is a word of other crons; the API server does not know L, W and #`,
      "Name the days by number, or the weekday by 0-6 or SUN-SAT.",
    );
  const names =
    range.names.length === 0
      ? ""
      : ` or ${(range.names[0] ?? "").toUpperCase()} to ${(range.names.at(-1) ?? "").toUpperCase()}`;
  return problem(
    `${written} is no ${range.name}`,
    `Allowed are ${String(range.min)} to ${String(range.max)}${names}.`,
  );
}

function problem(sentence: string, remedy: string): { readonly ok: false } & FieldProblem {
  return { ok: false, sentence, remedy };
}
