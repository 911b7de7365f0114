import type { Outcome } from "../run.js";
import { blockedRun, type Facts } from "./facts.js";
import { foreignReason, type Saying } from "./vocabulary.js";

const words = {
  partial: "Partial",
  failed: "Failed",
  refused: "Refused",
  interrupted: "Interrupted",
} as const satisfies Partial<Record<Outcome, string>>;

/** How the last run ended. While a run cannot begin the answer is open, and says why. */
export function lastRunSucceeded({ input, status }: Facts): Saying<"LastRunSucceeded"> {
  const blocked = blockedRun(input);
  if (blocked !== undefined)
    return {
      status: "Unknown",
      reason: "RunBlocked",
      message: `The run of Job ${blocked.jobName} has not begun. ${blocked.trouble}`,
    };
  const { lastRun } = status;
  if (lastRun?.outcome === undefined)
    return { status: "Unknown", reason: "NoRunYet", message: "No run has ended yet." };
  const message = sentences([lastRun.message ?? "The run did not say how it ended.", lastRun.remedy]);
  if (lastRun.outcome === "complete") return { status: "True", reason: "Complete", message };
  return { status: "False", reason: foreignReason(lastRun.code, words[lastRun.outcome]), message };
}

function sentences(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}
