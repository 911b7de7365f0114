import { describeCron, isTimeZone, nextRuns, parseCron } from "./cron.js";
import type { HarvestSource } from "./harvest-source.generated.js";

/** When a source runs: in words, and the next times. */
export interface PlannedRuns {
  readonly source: string;
  readonly schedule: string;
  readonly timeZone: string;
  /** "every 6 hours, at minute 0"; what follows the word "runs". */
  readonly means: string;
  /** A reviewed pause: the runs below would be, but are not. */
  readonly suspended: boolean;
  /** A stable offset of up to so many minutes is added in the cluster. */
  readonly spreadMinutes: number;
  readonly next: readonly Date[];
}

/** Undefined for a schedule or a time zone that is not understood; lint says why. */
export function plannedRuns(source: HarvestSource, now: Date, count = 3): PlannedRuns | undefined {
  const { schedule, timeZone, suspend, scheduleSpreadMinutes } = source.spec;
  const cron = parseCron(schedule);
  if (cron.kind === "problem" || !isTimeZone(timeZone)) return undefined;
  return {
    source: source.metadata.name,
    schedule,
    timeZone,
    means: describeCron(cron),
    suspended: suspend,
    spreadMinutes: scheduleSpreadMinutes,
    next: nextRuns({ cron, timeZone, now }, count),
  };
}
