import { runsPerDay } from "../cron.js";
import type { HarvestSource } from "../harvest-source.generated.js";
import type { StoreFacts } from "./facts.js";
import { installedSchedule } from "./installed-schedule.js";

/** Identify and one list: what a run asks for at the very least. */
const LEAST_REQUESTS = 2;

/** Runs a day of the installed schedule, averaged over years, to the thousandth; 0 = suspended, or not understood. */
export function runsADay(source: HarvestSource): number {
  const { cron } = installedSchedule(source);
  return source.spec.suspend || cron.kind === "problem" ? 0 : rounded(runsPerDay(cron), 1000);
}

/** Requests a day: as many a run as the last one needed, or 2 where no store knows. */
export function requestsADay(source: HarvestSource, facts: StoreFacts | undefined): number {
  return rounded(runsADay(source) * (facts?.lastRun?.requests ?? LEAST_REQUESTS), 10);
}

function rounded(n: number, steps: number): number {
  return Math.round(n * steps) / steps;
}
