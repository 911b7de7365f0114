import { nextRuns, parseCron, type Cron, type CronProblem } from "../cron.js";
import { isTimeZone } from "../cron/time-zone.js";
import type { Finding, Place } from "../finding.js";
import type { LocatedSource } from "../located-source.js";
import { eachSource, findingAt, type LintContext, type LintRule } from "./lint-rule.js";

const PATH = ["spec", "schedule"];
/** Below this a run hardly ends before the next one is due, and an agency notices. */
const OFTEN_MINUTES = 15;

/** A schedule the API server accepts, that comes at all, and not too often. */
export const schedule: LintRule = eachSource((located, context) => {
  const { schedule: text } = located.source.spec;
  const cron = parseCron(text);
  if (cron.kind === "problem") return [syntax(located, cron)];
  return timing(located, cron, context);
});

function syntax(located: LocatedSource, problem: CronProblem): Finding {
  const { sentence, remedy } = problem;
  const place = within(located.place(PATH), located.source.spec.schedule, problem);
  return findingAt(located, place, { rule: "schedule/syntax", severity: "error", sentence, remedy });
}

/** The part of a text that is meant, where the text stands on one line without escapes, with or without quotes. */
function within(
  place: Place,
  text: string,
  part: { readonly offset: number; readonly length: number },
): Place {
  const quotes = place.length - text.length;
  if (quotes !== 0 && quotes !== 2) return place;
  return { ...place, column: place.column + quotes / 2 + part.offset, length: part.length };
}

function timing(located: LocatedSource, cron: Cron, { now }: LintContext): readonly Finding[] {
  const { timeZone, schedule: text } = located.source.spec;
  const zone = isTimeZone(timeZone) ? timeZone : "Etc/UTC";
  const runs = nextRuns({ cron, timeZone: zone, now }, 4);
  if (runs.length === 0) return [neverRuns(located, text)];
  const gaps = runs.slice(1).map((run, i) => (run.getTime() - (runs[i]?.getTime() ?? 0)) / 60_000);
  const shortest = Math.min(...gaps);
  if (shortest >= OFTEN_MINUTES) return [];
  const often = shortest < 1 ? "more than once a minute" : `every ${String(Math.floor(shortest))} min`;
  return [
    findingAt(located, PATH, {
      rule: "schedule/too-often",
      severity: "warning",
      sentence: `This source is asked ${often}; catalogues change in hours, and a run that is still going makes the next one wait.`,
      remedy: "Ask less often, unless the agency wants it so.",
    }),
  ];
}

const DAYS_IN_WORDS: Readonly<Record<string, string>> = {
  "30 2": "There is no 30 February",
  "31 2": "There is no 31 February",
  "31 4": "There is no 31 April",
  "31 6": "There is no 31 June",
  "31 9": "There is no 31 September",
  "31 11": "There is no 31 November",
};

function neverRuns(located: LocatedSource, text: string): Finding {
  const [, , day = "", month = ""] = text.trim().split(/\s+/);
  const why = DAYS_IN_WORDS[`${day} ${month}`] ?? "No such date comes in the next five years";
  return findingAt(located, PATH, {
    rule: "schedule/never-runs",
    severity: "error",
    sentence: `${why}: this source would never be harvested, though the API server accepts the schedule.`,
    remedy: "Correct the day or the month.",
  });
}
