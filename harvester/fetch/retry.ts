/** Whether a failed request is sent again in this run, and when. Pure: the random number and the time left are handed in. */
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import { faultTable, type Fault } from "../fault.js";

export interface RetryQuestion {
  /** Tries made so far, this failed one included: 1 after the first failure. */
  readonly attempt: number;
  readonly fault: Pick<Fault, "kind" | "detail">;
  readonly policy: HarvestSourceSpec["backoff"];
  readonly respectRetryAfter: boolean;
  /** From 0 (included) to 1 (excluded). */
  readonly random: number;
  /** The longest this run may wait now, in ms: what is left of maxRunSeconds. */
  readonly maxWaitMs: number;
}

export type RetryDecision =
  | { readonly kind: "wait"; readonly ms: number; readonly reason: "retry-after" | "backoff" }
  | { readonly kind: "give-up"; readonly reason: "not-retryable" | "attempts-exhausted" | "no-time-left" }
  /** The agency asked for more quiet than this run has: remember it for `ms`, over runs and pods (case C74). */
  | {
      readonly kind: "rest";
      readonly ms: number;
      readonly reason: "retry-after-beyond-run" | "retry-after-attempts-exhausted";
    };

/** No wait is shorter, however the dice fall: a source in trouble is not asked again at once. */
const FLOOR_MS = 250;

export function decideRetry(question: RetryQuestion): RetryDecision {
  const { fault, policy, attempt } = question;
  if (!faultTable[fault.kind].retry) return { kind: "give-up", reason: "not-retryable" };
  const asked = question.respectRetryAfter ? fault.detail.retryAfterMs : undefined;
  if (asked !== undefined && asked > question.maxWaitMs)
    return { kind: "rest", ms: asked, reason: "retry-after-beyond-run" };
  if (attempt >= policy.maxAttempts) {
    if (asked === undefined) return { kind: "give-up", reason: "attempts-exhausted" };
    return { kind: "rest", ms: asked, reason: "retry-after-attempts-exhausted" };
  }
  const ms = asked === undefined ? backoff(question) : asked + spread(question);
  if (ms > question.maxWaitMs) return { kind: "give-up", reason: "no-time-left" };
  return { kind: "wait", ms, reason: asked === undefined ? "backoff" : "retry-after" };
}

/** Exponential; with full jitter anywhere below the ceiling, so that many clients do not come back together. */
function backoff({ attempt, policy, random }: RetryQuestion): number {
  const ceiling = Math.min(policy.maxMs, policy.initialMs * 2 ** Math.min(attempt - 1, 40));
  const ms = policy.jitter === "full" ? random * ceiling : ceiling;
  return Math.round(Math.max(Math.min(FLOOR_MS, policy.initialMs), ms));
}

/** Never sooner than asked, and not all at the same second; cut so that the jitter alone never costs the run its retry. */
function spread({ policy, random, fault, maxWaitMs }: RetryQuestion): number {
  if (policy.jitter === "none") return 0;
  const room = maxWaitMs - (fault.detail.retryAfterMs ?? 0);
  return Math.round(random * Math.max(0, Math.min(policy.initialMs, room)));
}
