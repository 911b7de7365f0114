import type { HarvestSource } from "../source/harvest-source.generated.js";
import { plannedRuns } from "../source/planned-runs.js";

/** "06:00 UTC": when the schedule comes round next, in the source's own zone; with the day when it is not today. */
export function nextRunText(source: HarvestSource, now: Date): string | undefined {
  const plan = plannedRuns(source, now, 1);
  const next = plan?.next[0];
  if (plan === undefined || next === undefined || plan.suspended) return undefined;
  const day = { weekday: "short", day: "numeric", month: "short" } as const;
  const far = next.getTime() - now.getTime() > 20 * 3_600_000 ? day : {};
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const text = new Intl.DateTimeFormat("en-GB", { timeZone: plan.timeZone, ...far, ...clock }).format(next);
  return `${text.replace(",", "")} ${plan.timeZone === "Etc/UTC" ? "UTC" : plan.timeZone}`;
}
