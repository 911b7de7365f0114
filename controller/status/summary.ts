import { blockedRun, type Facts } from "./facts.js";
import { summaryWords, type SummaryWord } from "./vocabulary.js";

/** docs/exit-codes.md: denied, a human must act. */
const DENIED = 77;

/** When each word holds. Their order is that of summaryWords: what needs a human most, or explains the most, comes first. */
const holds: Readonly<Record<SummaryWord, (facts: Facts) => boolean>> = {
  // Of a source that is being removed: withdrawing-status.ts.
  Withdrawing: ({ input }) => input.source.metadata.deletionTimestamp !== undefined,
  Stalled: ({ input }) => input.verdict.kind === "stalled",
  Suspended: ({ input }) => input.source.spec.suspend,
  Paused: ({ input }) => input.paused !== undefined,
  Installing: ({ input: { verdict } }) => verdict.kind === "accepted" && !verdict.childrenInPlace,
  Blocked: ({ input }) => blockedRun(input) !== undefined,
  Denied: ({ status }) => status.lastRun?.exitCode === DENIED,
  Resting: ({ status }) => status.notBefore !== undefined,
  Failing: ({ status }) => failures(status) > 0,
  Stale: ({ input, freshness }) => freshness.kind !== "unknown" && input.now >= freshness.until,
  Drifted: ({ input }) => input.drift !== undefined,
  Running: ({ input }) => input.runs.active.length > 0,
  Waiting: ({ status }) => status.lastRun === undefined,
  Fresh: () => true,
};

/** The state in one word. */
export function summaryOf(facts: Facts): string {
  const word = summaryWords.find((one) => holds[one](facts)) ?? "Fresh";
  return word === "Failing" ? `Failing(${String(failures(facts.status))})` : word;
}

function failures({ consecutiveFailures = 0 }: Facts["status"]): number {
  return consecutiveFailures;
}
