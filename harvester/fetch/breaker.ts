/**
 * The breaker of an endpoint, over runs: after several failed runs in a row the source is left alone for a while that
 * grows, then asked once; one good answer closes it. Requested quiet (Retry-After) is kept in the same place.
 * One pure step; the store keeps the state.
 */
import { faultTable, type FaultKind } from "../fault.js";
import type { Instant } from "../record.js";

/** The same shape as EndpointState of harvester/persist/store.ts (breaker.test.ts holds them together). */
export interface BreakerState {
  /** No request before this time. */
  readonly blockedUntil?: Instant;
  readonly blockedBecause?: string;
  readonly consecutiveFailures: number;
  /** Present while the breaker is open or half open. */
  readonly openedAt?: Instant;
}

export type BreakerEvent =
  /** The run got answers it could use. */
  | { readonly kind: "succeeded" }
  | {
      readonly kind: "failed";
      readonly fault: FaultKind;
      readonly sentence: string;
      readonly retryAfterMs?: number;
    };

export interface BreakerPolicy {
  /** Failed runs in a row that open the breaker. */
  readonly failures: number;
  /** First rest; doubled by every further failed run. */
  readonly restMs: number;
  readonly maxRestMs: number;
}

/** Three failed runs; rests of 15 minutes, 30, 60 … up to a day. */
export const defaultBreakerPolicy: BreakerPolicy = {
  failures: 3,
  restMs: 15 * 60_000,
  maxRestMs: 24 * 3_600_000,
};

export type Permission =
  /** `probe`: the breaker is half open, so send one cheap request and see. */
  | { readonly kind: "ok"; readonly probe: boolean }
  | { readonly kind: "wait"; readonly until: Instant; readonly why: string };

export function mayAsk(state: BreakerState, now: number): Permission {
  const { blockedUntil } = state;
  if (blockedUntil !== undefined && Date.parse(blockedUntil) > now) {
    return { kind: "wait", until: blockedUntil, why: state.blockedBecause ?? "the endpoint is resting" };
  }
  return { kind: "ok", probe: state.openedAt !== undefined };
}

/** The state after a run. Faults that are not the endpoint's (faultTable) leave the count alone. */
export function nextBreaker(
  state: BreakerState,
  event: BreakerEvent,
  at: { readonly now: number; readonly policy?: BreakerPolicy },
): BreakerState {
  const policy = at.policy ?? defaultBreakerPolicy;
  if (event.kind === "succeeded") return stillBlocked({ consecutiveFailures: 0 }, state, at.now);
  const counted = faultTable[event.fault].countsAgainstEndpoint
    ? failOnce(state, event.sentence, { ...at, policy })
    : state;
  if (event.retryAfterMs === undefined) return counted;
  return block(counted, at.now + event.retryAfterMs, "the agency asked for quiet (Retry-After)");
}

/** A good answer closes the breaker, but does not take back quiet that was asked for. */
function stillBlocked(closed: BreakerState, before: BreakerState, now: number): BreakerState {
  const { blockedUntil, blockedBecause, openedAt } = before;
  if (openedAt !== undefined || blockedUntil === undefined || Date.parse(blockedUntil) <= now) return closed;
  return { ...closed, blockedUntil, ...(blockedBecause === undefined ? {} : { blockedBecause }) };
}

function failOnce(
  state: BreakerState,
  sentence: string,
  at: { readonly now: number; readonly policy: BreakerPolicy },
): BreakerState {
  const failures = state.consecutiveFailures + 1;
  const counted = { ...state, consecutiveFailures: failures };
  if (failures < at.policy.failures) return counted;
  const restMs = Math.min(
    at.policy.maxRestMs,
    at.policy.restMs * 2 ** Math.min(failures - at.policy.failures, 40),
  );
  const why = `${String(failures)} runs in a row failed, the last with: ${sentence}`;
  return block({ ...counted, openedAt: state.openedAt ?? instant(at.now) }, at.now + restMs, why);
}

/** The later of two blocks stands, with its reason. */
function block(state: BreakerState, until: number, why: string): BreakerState {
  if (state.blockedUntil !== undefined && Date.parse(state.blockedUntil) >= until) return state;
  return { ...state, blockedUntil: instant(until), blockedBecause: why };
}

/** Rounded up to the second: never sooner. */
function instant(ms: number): Instant {
  return new Date(Math.ceil(ms / 1000) * 1000).toISOString().replace(".000Z", "Z");
}
