/** Whether a failed request is sent again, and when. Pure: clock readings and the random number are handed in. */

/**
 * What a failure below HTTP says about the request. unsent: it never left, or never arrived; cut: the connection ended, and
 * nobody knows; silent: no answer in time; tls: the two do not trust each other; final: asking again changes nothing.
 */
export type NetworkGroup = "unsent" | "cut" | "silent" | "tls" | "final";

export type Failure =
  | {
      readonly kind: "status";
      readonly status: number;
      /** The server's own words. */
      readonly message: string;
      readonly retryAfterMs?: number;
    }
  | { readonly kind: "network"; readonly group: NetworkGroup };

export interface RetryPolicy {
  /** Tries altogether, the first included. */
  readonly maxAttempts: number;
  /** From the first try to the start of the last, in ms. */
  readonly totalMs: number;
  /** Shortest wait, ms. */
  readonly baseMs: number;
  /** Longest wait of our own making, ms; the server may ask for more. */
  readonly capMs: number;
}

export interface RetryQuestion {
  readonly failure: Failure;
  /** The same request twice does what it does once: reads, apply, delete, update with a resourceVersion. */
  readonly replayable: boolean;
  /** Tries made so far: 1 after the first failure. */
  readonly attempt: number;
  /** Since the first try began, ms. */
  readonly elapsedMs: number;
  /** The wait before the try that failed, ms; 0 before the first. */
  readonly lastWaitMs: number;
  /** Credentials were read anew for this request already. */
  readonly renewed: boolean;
  /** From 0 (included) to 1 (excluded). */
  readonly random: number;
  readonly policy: RetryPolicy;
}

export type RetryDecision =
  | { readonly kind: "wait"; readonly ms: number; readonly reason: "retry-after" | "backoff" }
  /** Read credentials and certificates anew, then send at once. */
  | { readonly kind: "renew" }
  | {
      readonly kind: "give-up";
      readonly reason: "final" | "not-replayable" | "attempts-exhausted" | "no-time-left";
    };

/** In this order: is it worth it, is it safe, is there a try left, is there time left. */
export function decideRetry(question: RetryQuestion): RetryDecision {
  const verdict = judge(question.failure);
  if (verdict === "renew" && !question.renewed) return { kind: "renew" };
  if (verdict === "renew" || verdict === "never") return { kind: "give-up", reason: "final" };
  if (verdict === "if-replayable" && !question.replayable)
    return { kind: "give-up", reason: "not-replayable" };
  if (question.attempt >= question.policy.maxAttempts)
    return { kind: "give-up", reason: "attempts-exhausted" };
  return withinTime(question);
}

function withinTime(question: RetryQuestion): RetryDecision {
  const { failure, policy } = question;
  const asked = failure.kind === "status" ? failure.retryAfterMs : undefined;
  const ms = asked === undefined ? decorrelated(question) : asked + spread(question);
  if (question.elapsedMs + ms > policy.totalMs) return { kind: "give-up", reason: "no-time-left" };
  return { kind: "wait", ms, reason: asked === undefined ? "backoff" : "retry-after" };
}

type Verdict = "never" | "renew" | "if-replayable" | "always";

function judge(failure: Failure): Verdict {
  if (failure.kind === "network") return ofNetwork[failure.group];
  if (failure.status === 500 && isTerminal(failure.message)) return "never";
  return ofStatus[failure.status] ?? "never";
}

const ofNetwork: Readonly<Record<NetworkGroup, Verdict>> = {
  unsent: "always",
  cut: "if-replayable",
  silent: "if-replayable",
  // A certificate was replaced, on our side or the server's.
  tls: "renew",
  final: "never",
};

const ofStatus: Readonly<Record<number, Verdict>> = {
  401: "renew",
  // Turned away before anything was done (API priority and fairness).
  429: "always",
  // Starting up, a webhook or etcd not there for a moment.
  500: "if-replayable",
  502: "if-replayable",
  503: "if-replayable",
  504: "if-replayable",
};

/** Server-side apply of a field the server does not know is answered 500, and will be for ever. */
export function isTerminal(message: string): boolean {
  return /field not declared in schema|failed to create typed patch object/.test(message);
}

/** Each wait is drawn between the base and three times the last one, so that many clients drift apart. */
function decorrelated({ lastWaitMs, random, policy }: RetryQuestion): number {
  const high = Math.max(policy.baseMs, lastWaitMs * 3);
  return Math.round(Math.min(policy.capMs, policy.baseMs + random * (high - policy.baseMs)));
}

/** Never sooner than asked, and not all at the same instant. */
function spread({ random, policy }: RetryQuestion): number {
  return Math.round(random * policy.baseMs);
}
