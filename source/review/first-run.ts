import { nextRuns } from "../cron.js";
import { isTimeZone, zoneOffset } from "../cron/time-zone.js";
import type { HarvestSource } from "../harvest-source.generated.js";
import { clockChangeNote } from "./clock-change.js";
import { installedSchedule } from "./installed-schedule.js";
import type { BlastRow } from "./review.js";

type FirstRun = NonNullable<BlastRow["firstRun"]>;

/** The first run after `now` by the installed schedule; undefined = suspended, never, or a schedule nobody understands. */
export function firstRun(source: HarvestSource, now: Date): FirstRun | undefined {
  const { timeZone, suspend } = source.spec;
  const { cron } = installedSchedule(source);
  if (suspend || cron.kind === "problem" || !isTimeZone(timeZone)) return undefined;
  const [at] = nextRuns({ cron, timeZone, now }, 1);
  if (at === undefined) return undefined;
  const dst = clockChangeNote({ cron, timeZone, now, at });
  return { at, timeZone, local: localTime(at, timeZone), ...(dst === undefined ? {} : { dst }) };
}

/** 2026-12-01 06:12, as a clock in that zone shows it. */
export function localTime(at: Date, timeZone: string): string {
  const shown = new Date(at.getTime() + zoneOffset(timeZone, at.getTime()));
  return shown.toISOString().slice(0, 16).replace("T", " ");
}
