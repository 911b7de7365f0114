import { describeCron, isTimeZone, nextRuns, parseCron } from "./cron.js";
import type { HarvestSource } from "./harvest-source.generated.js";
import { spreadSchedule } from "./spread.js";

/** When a source runs: in words, and the next times. */
export interface PlannedRuns {
  readonly source: string;
  /** As written. */
  readonly schedule: string;
  readonly timeZone: string;
  /** As the cluster runs it: with the source's offset in the window of its spread. */
  readonly installedSchedule: string;
  /** "every 6 hours, at minute 12": the installed schedule, as it follows the word "runs". */
  readonly means: string;
  /** A reviewed pause: the runs below would be, but are not. */
  readonly suspended: boolean;
  /** Width of the window over which sources with the same schedule are spread. */
  readonly spreadMinutes: number;
  /** This source's stable place in it: minutes later than written. */
  readonly offsetMinutes: number;
  /** By the installed schedule. */
  readonly next: readonly Date[];
}

/** Undefined for a schedule or a time zone that is not understood; lint says why. */
export function plannedRuns(source: HarvestSource, now: Date, count = 3): PlannedRuns | undefined {
  const { schedule, timeZone, suspend, scheduleSpreadMinutes } = source.spec;
  const { schedule: installedSchedule, offsetMinutes } = spreadSchedule(source);
  const cron = parseCron(installedSchedule);
  if (cron.kind === "problem" || !isTimeZone(timeZone)) return undefined;
  return {
    source: source.metadata.name,
    schedule,
    timeZone,
    installedSchedule,
    means: describeCron(cron),
    suspended: suspend,
    spreadMinutes: scheduleSpreadMinutes,
    offsetMinutes,
    next: nextRuns({ cron, timeZone, now }, count),
  };
}
