/** Verdicts about records the engine could not be made to judge. */
import type { Verdict } from "../record.js";

export function deadlineVerdict(deadlineMs: number): Verdict {
  return refused(
    "deadline",
    `The gates were not done with this record after ${seconds(deadlineMs)}, so it was set aside: it is too large or too entangled.`,
  );
}

export function crashVerdict(reason: string): Verdict {
  return refused(
    "engine-crash",
    `The gates failed twice on this record, so it was set aside (${reason.slice(0, 200)}).`,
  );
}

function refused(rule: string, message: string): Verdict {
  return { kind: "refused", violations: [{ gate: "engine", rule, severity: "error", message }] };
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${String(milliseconds)} ms` : `${String(milliseconds / 1000)} s`;
}
