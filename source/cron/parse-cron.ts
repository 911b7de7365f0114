import { didYouMean } from "../did-you-mean.js";
import { fieldRanges, parseField } from "./cron-field.js";
import type { Cron, CronField, CronProblem } from "./cron.js";

const MACROS: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

const EVERY = "@every ";

interface Word {
  readonly text: string;
  readonly offset: number;
}

/**
 * A schedule as the API server of Kubernetes accepts it (CronJob.spec.schedule: robfig/cron v3, ParseStandard, and no
 * TZ). Narrower in one point: @every takes hours, minutes and seconds only, because a CronJob cannot run more often.
 */
export function parseCron(text: string): Cron | CronProblem {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const cron = readCron(text);
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(text, cron);
  return cron;
}

/** Ten thousand sources share some hundred schedules, and each is asked several times. */
const parsed = new Map<string, Cron | CronProblem>();
const MAX_PARSED = 2000;

function readCron(text: string): Cron | CronProblem {
  if (text.includes("TZ"))
    return problem(text, "A schedule cannot carry TZ= or CRON_TZ=.", "Use spec.timeZone.");
  if (text.startsWith(EVERY)) return parseEvery(text);
  if (text.startsWith("@")) return parseMacro(text);
  return parseFields(text);
}

/** The five fields a macro (@daily) stands for; any other text as it is. */
export function expandMacro(text: string): string {
  return text.startsWith("@") ? (MACROS[text] ?? text) : text;
}

function parseMacro(text: string): Cron | CronProblem {
  const expanded = MACROS[text];
  if (expanded !== undefined) return parseFields(expanded);
  const meant = didYouMean(text, [...Object.keys(MACROS), "@every 6h"]);
  const known = "Known are @hourly, @daily, @weekly, @monthly, @yearly and @every 6h.";
  return problem(
    text,
    `The API server does not know ${text.slice(0, 40)}.`,
    meant === undefined ? known : `Did you mean ${meant}?`,
  );
}

function parseEvery(text: string): Cron | CronProblem {
  const duration = text.slice(EVERY.length);
  if (!/^\+?(\d{1,6}(\.\d{0,6})?(h|m|s))+$/.test(duration))
    return problem(
      text,
      `${duration.slice(0, 40) || "Nothing"} is no duration.`,
      "Write hours, minutes and seconds, e.g. @every 6h or @every 1h30m.",
    );
  const factor = { h: 3600, m: 60, s: 1 };
  let seconds = 0;
  for (const [, amount, unit] of duration.matchAll(/([\d.]+)(h|m|s)/g))
    seconds += Number(amount) * factor[unit as "h" | "m" | "s"];
  // Fractions of a second are cut and nothing runs more often than each second, as in the API server.
  return { kind: "every", seconds: Math.max(1, Math.floor(seconds)) };
}

function parseFields(text: string): Cron | CronProblem {
  const words: readonly Word[] = [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    offset: match.index,
  }));
  if (words.length !== fieldRanges.length) return wrongCount(text, words);
  const fields: CronField[] = [];
  for (const [i, range] of fieldRanges.entries()) {
    const word = words[i] ?? { text: "", offset: 0 };
    const field = parseField(word.text, range);
    if (!field.ok)
      return {
        kind: "problem",
        sentence: `In the schedule's ${range.name} field ${field.sentence}.`,
        remedy: field.remedy,
        offset: word.offset,
        length: word.text.length,
      };
    fields.push(field.value);
  }
  return named(fields);
}

function named(fields: readonly CronField[]): Cron {
  const [minute, hour, day, month, weekday] = fields;
  if (!minute || !hour || !day || !month || !weekday) throw new RangeError("A schedule has five fields.");
  return { kind: "fields", minute, hour, day, month, weekday };
}

function wrongCount(text: string, words: readonly Word[]): CronProblem {
  const count = `The schedule has ${String(words.length)} ${words.length === 1 ? "field" : "fields"}`;
  const order = "minute hour day month weekday";
  if (words.length === 6 || words.length === 7)
    return problem(
      text,
      `${count}; the API server accepts five: ${order}.`,
      "Seconds and years cannot be given: remove them.",
    );
  return problem(text, `${count}; it needs five: ${order}.`, 'E.g. "0 */6 * * *" is every 6 hours.');
}

function problem(text: string, sentence: string, remedy: string): CronProblem {
  return { kind: "problem", sentence, remedy, offset: 0, length: Math.max(1, text.length) };
}
