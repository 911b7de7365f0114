/** Runs an operation until it succeeds or a decision (retry.ts) ends it. Clock, sleep and dice are handed in. */
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import { asFault, Fault } from "../fault.js";
import { decideRetry, type RetryDecision } from "./retry.js";

/** Told before each wait, for the progress line and the log. */
export interface WaitNotice {
  /** Tries made so far. */
  readonly attempt: number;
  readonly ms: number;
  readonly reason: string;
  readonly fault: Fault;
}

export interface AttemptOptions {
  readonly policy: HarvestSourceSpec["backoff"];
  readonly respectRetryAfter: boolean;
  /** How long this run may still wait, in ms, asked anew before each decision. */
  readonly maxWaitMs: () => number;
  readonly random: () => number;
  /** Must reject when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly signal?: AbortSignal;
  readonly onWait?: (notice: WaitNotice) => void;
}

/**
 * `operation` gets the number of the try, from 1. Throws the last Fault: with its `retryAfterMs` when the agency asked
 * for more quiet than this run has, which the caller stores (breaker.ts), and Fault `interrupted` after an abort.
 */
export async function attempt<T>(
  operation: (attempt: number) => Promise<T>,
  options: AttemptOptions,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    throwIfAborted(options.signal);
    try {
      return await operation(tries);
    } catch (thrown) {
      throwIfAborted(options.signal);
      const fault = asFault(thrown);
      const decision = decideRetry({
        attempt: tries,
        fault,
        policy: options.policy,
        respectRetryAfter: options.respectRetryAfter,
        random: options.random(),
        maxWaitMs: options.maxWaitMs(),
      });
      if (decision.kind !== "wait") throw lastWord(fault, decision, tries);
      options.onWait?.({ attempt: tries, ms: decision.ms, reason: decision.reason, fault });
      await pause(decision.ms, options);
    }
  }
}

async function pause(ms: number, options: AttemptOptions): Promise<void> {
  try {
    await options.sleep(ms, options.signal);
  } catch (thrown) {
    throwIfAborted(options.signal);
    throw thrown;
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  if (signal.reason instanceof Fault) throw signal.reason;
  throw new Fault("interrupted", {
    code: "Interrupted",
    sentence: "The run was stopped while it was waiting for the source.",
    cause: signal.reason,
  });
}

/** The fault as it was, with what was tried; nothing is added where one try was all there was to do. */
function lastWord(fault: Fault, decision: Exclude<RetryDecision, { kind: "wait" }>, tries: number): Fault {
  if (decision.kind === "give-up" && decision.reason === "not-retryable") return fault;
  const told = tries === 1 ? "" : ` (${String(tries)} attempts)`;
  const rest = decision.kind === "rest" ? ` The next request may be sent in ${duration(decision.ms)}.` : "";
  return new Fault(fault.kind, {
    ...fault.detail,
    sentence: `${fault.detail.sentence}${told}${rest}`.trim(),
    cause: fault,
  });
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${String(seconds)} s`;
  if (seconds < 7200) return `${String(Math.ceil(seconds / 60))} min`;
  return `${String(Math.ceil(seconds / 360) / 10)} h`;
}
