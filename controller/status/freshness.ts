import { nextRuns, parseCron, type Cron } from "../../source/cron.js";

export interface FreshnessQuestion {
  /** As it stands in the CronJob. */
  readonly schedule: string;
  readonly timeZone: string;
  /** End of the last complete run; before there is one, when the source came. */
  readonly since: Date;
  readonly intervals: number;
}

const MOST_INTERVALS = 1_000;

/**
 * Until when a source that was complete at `since` counts as fresh: `intervals` intervals of its schedule later. Intervals are
 * counted along the schedule, so that a source that rests at the weekend is not overdue on Sunday. Undefined when the
 * schedule cannot be read or does not come round often enough.
 */
export function freshUntil({ schedule, timeZone, since, intervals }: FreshnessQuestion): Date | undefined {
  const cron = parseCron(schedule);
  if (cron.kind === "problem") return undefined;
  const count = Math.min(MOST_INTERVALS, Math.max(0, intervals));
  const due = nextRuns({ cron, timeZone, now: since }, Math.max(2, Math.ceil(count)));
  const before = lastDue({ cron, timeZone, since }, due);
  const steps = [before, ...due].map((time) => time.getTime());
  const whole = steps[Math.floor(count)];
  const next = steps[Math.ceil(count)];
  if (whole === undefined || next === undefined) return undefined;
  const late = since.getTime() - before.getTime();
  return new Date(Math.ceil((whole + (count % 1) * (next - whole) + late) / 1000) * 1000);
}

/**
 * The run that was due when the one that ended at `since` began: how late it ended is what the next ones may take, too. Looked
 * for as far back as the next two runs are apart; a run somebody asked for on a free day was due when it ended,
 * and so is every run of an `@every`.
 */
function lastDue(
  { cron, timeZone, since }: { cron: Cron; timeZone: string; since: Date },
  [first, second]: readonly Date[],
): Date {
  if (first === undefined || second === undefined || cron.kind === "every") return since;
  const gap = second.getTime() - first.getTime();
  const from = new Date(since.getTime() - gap - 1);
  return nextRuns({ cron, timeZone, now: from }, 8).findLast((time) => time <= since) ?? since;
}
