import { parseCron, type Cron, type CronProblem } from "../cron.js";
import type { HarvestSource } from "../harvest-source.generated.js";
import { spreadSchedule } from "../spread.js";

/** A schedule as its CronJob gets it: with the source's offset in the window of its spread. */
export interface InstalledSchedule {
  readonly text: string;
  readonly cron: Cron | CronProblem;
}

/** A review asks a dozen times for each source, and finding the offset takes work. Sources never change. */
const known = new WeakMap<HarvestSource, InstalledSchedule>();

export function installedSchedule(source: HarvestSource): InstalledSchedule {
  const before = known.get(source);
  if (before !== undefined) return before;
  const text = spreadSchedule(source).schedule;
  const installed = { text, cron: parseCron(text) };
  known.set(source, installed);
  return installed;
}
