import type { PlannedRuns } from "../../source/planned-runs.js";
import { oneLine, plural } from "./words.js";

/** More sources than this are told by the few that come first. */
const TOLD_IN_FULL = 5;
const TOLD_SHORTLY = 3;

/** When the sources run next: each with its meaning and times, or, when there are many, the ones that come first. */
export function plannedRunsText(plans: readonly PlannedRuns[], now: Date): string {
  const due = plans.filter(({ next, suspended }) => next.length > 0 && !suspended);
  const paused = plans.length > 0 ? plans.filter(({ suspended }) => suspended) : [];
  if (plans.length <= TOLD_IN_FULL)
    return [
      ...due.map((plan) => inFull(plan, now)),
      ...paused.map(({ source }) => `${source} is paused (spec.suspend).`),
    ].join("\n");
  const soonest = [...due].sort((a, b) => firstOf(a) - firstOf(b)).slice(0, TOLD_SHORTLY);
  const first = soonest
    .map((plan) => `${plan.source} ${when(plan.next[0], plan.timeZone, now)} ${zoneName(plan.timeZone)}`)
    .join(", ");
  const rest =
    due.length > soonest.length ? `, and ${plural(due.length - soonest.length, "other")} later` : "";
  const pausedToo = paused.length > 0 ? ` ${plural(paused.length, "source")} paused.` : "";
  return `Next runs: ${first}${rest}.${pausedToo}`;
}

function inFull(plan: PlannedRuns, now: Date): string {
  const times = plan.next.map((run) => when(run, plan.timeZone, now)).join(", ");
  return `${oneLine(plan.source)} runs ${plan.means}${spreadWords(plan)}; next ${times} (${zoneName(plan.timeZone)}).`;
}

/** Where the source lies in the window of its spread, and the schedule its CronJob gets. */
function spreadWords({ spreadMinutes, offsetMinutes, installedSchedule }: PlannedRuns): string {
  if (spreadMinutes === 0) return "";
  const place = `its place in a spread of ${String(spreadMinutes)} min`;
  if (offsetMinutes === 0) return `, as written (${place})`;
  return `, ${String(offsetMinutes)} min later than written (${place}; installed as "${installedSchedule}")`;
}

function firstOf({ next }: PlannedRuns): number {
  return next[0]?.getTime() ?? Infinity;
}

/** "today 18:00", "tomorrow 02:30", "Mon 7 Dec 02:30", with the year when it is another one. */
function when(run: Date | undefined, timeZone: string, now: Date): string {
  if (run === undefined) return "never";
  const day = dayIn(timeZone, run);
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return `${dayWords(day, dayIn(timeZone, now))} ${clock.format(run)}`;
}

function dayWords(day: number, today: number): string {
  const ahead = Math.round((day - today) / 86_400_000);
  if (ahead === 0) return "today";
  if (ahead === 1) return "tomorrow";
  const otherYear = new Date(day).getUTCFullYear() !== new Date(today).getUTCFullYear();
  const words = new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC",
    weekday: "short",
    day: "numeric",
    month: "short",
    ...(otherYear ? { year: "numeric" } : {}),
  });
  return words.format(day).replace(",", "");
}

/** Midnight of the local day, as if it were UTC: only to compare days. */
function dayIn(timeZone: string, instant: Date): number {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return Date.parse(`${parts.format(instant)}T00:00:00Z`);
}

function zoneName(timeZone: string): string {
  return timeZone === "Etc/UTC" ? "UTC" : timeZone;
}
