import type { Cron } from "../cron.js";
import { runsBetween } from "../cron/next-runs.js";
import { isTimeZone } from "../cron/time-zone.js";
import type { HarvestSource } from "../harvest-source.generated.js";
import { installedSchedule } from "./installed-schedule.js";

const DAY = 24 * 3600_000;
/** Two months, one with and one without summer time on both halves of the world: enough to see what meets. Fixed, because
 * a review must say the same today and tomorrow. */
const MONTHS = [Date.UTC(2027, 0, 1), Date.UTC(2027, 6, 1)];
const DAYS = 31;
/** A start every 15 minutes for a month; what starts more often meets everything anyway. */
const MAX_STARTS = 3000;

/** The schedule of a source as it is installed; undefined = suspended, or a schedule or zone nobody understands. */
export function installedCron(source: HarvestSource): Cron | undefined {
  const { cron } = installedSchedule(source);
  const { suspend, timeZone } = source.spec;
  return suspend || cron.kind === "problem" || !isTimeZone(timeZone) ? undefined : cron;
}

/** Moments (ms since 1970) of two months at which a source starts; empty for `@every`, whose origin nobody knows. */
export function startsOf(source: HarvestSource): readonly number[] {
  const cron = installedCron(source);
  if (cron === undefined || cron.kind === "every") return [];
  const { timeZone } = source.spec;
  return MONTHS.flatMap((month) => {
    const span = { from: new Date(month), until: new Date(month + DAYS * DAY) };
    return runsBetween(cron, timeZone, span).slice(0, MAX_STARTS);
  });
}

/** The shortest time between two starts in seconds; undefined = it starts too rarely to tell. */
export function shortestInterval(source: HarvestSource): number | undefined {
  const cron = installedCron(source);
  if (cron?.kind === "every") return cron.seconds;
  const starts = startsOf(source);
  const gaps = starts.slice(1).map((start, i) => start - (starts[i] ?? 0));
  return gaps.length === 0 ? undefined : Math.min(...gaps) / 1000;
}
