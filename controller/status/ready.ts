import { describeCron, parseCron } from "../../source/cron.js";
import type { Facts } from "./facts.js";
import { foreignReason, type Saying } from "./vocabulary.js";

/** Ready = accepted and scheduled. What the source answers, or whether it answers at all, is no part of it. */
export function ready({ input }: Facts): Saying<"Ready"> {
  const { verdict, source, paused } = input;
  if (verdict.kind === "stalled")
    return {
      status: "False",
      reason: foreignReason(verdict.reason, "NotAccepted"),
      message: verdict.message,
    };
  const missing = childrenMissing(input.verdict);
  if (missing !== undefined) return { status: "False", ...missing };
  const scheduled = scheduleSentence(verdict.installed, source.spec.timeZone);
  if (source.spec.suspend)
    return {
      status: "True",
      reason: "Suspended",
      message: `Accepted, but spec.suspend is true: no run starts by itself. ${scheduled}`,
    };
  if (paused !== undefined)
    return { status: "True", reason: "Paused", message: `Accepted, but paused. ${scheduled}` };
  return { status: "True", reason: "Scheduled", message: scheduled };
}

/** Abnormal-true (kstatus): there only while the children are not yet as they should be. */
export function reconciling({ input }: Facts): Saying<"Reconciling"> | undefined {
  const missing = childrenMissing(input.verdict);
  return missing && { status: "True", ...missing };
}

/** Abnormal-true (kstatus): somebody must change the manifest or what it refers to. */
export function stalled({ input: { verdict } }: Facts): Saying<"Stalled"> | undefined {
  if (verdict.kind !== "stalled") return undefined;
  return { status: "True", reason: foreignReason(verdict.reason, "NotAccepted"), message: verdict.message };
}

function childrenMissing(
  verdict: Facts["input"]["verdict"],
): Pick<Saying<"Reconciling">, "reason" | "message"> | undefined {
  if (verdict.kind === "stalled" || verdict.childrenInPlace) return undefined;
  return verdict.childTrouble === undefined
    ? { reason: "ChildrenPending", message: "Its CronJob, ConfigMap or NetworkPolicy is not in place yet." }
    : { reason: "ChildrenBlocked", message: verdict.childTrouble };
}

function scheduleSentence(
  { schedule, offsetMinutes }: { readonly schedule: string; readonly offsetMinutes: number },
  timeZone: string,
): string {
  const cron = parseCron(schedule);
  const words = cron.kind === "problem" ? `as "${schedule}" says` : describeCron(cron);
  const offset =
    offsetMinutes === 0
      ? ""
      : `, ${String(offsetMinutes)} ${offsetMinutes === 1 ? "minute" : "minutes"} later than written`;
  return `Scheduled: runs ${words} (${timeZone})${offset}.`;
}
