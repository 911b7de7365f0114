import { describe, expect, it } from "vitest";
import type { FaultKind } from "../fault.js";
import type { EndpointState } from "../persist/store.js";
import { mayAsk, nextBreaker, type BreakerEvent, type BreakerState, type Permission } from "./breaker.js";

const now = Date.parse("2026-05-01T12:00:00Z");
const policy = { failures: 3, restMs: 900_000, maxRestMs: 86_400_000 };

/** Compiles only while both shapes are the same. */
function sameShape(state: BreakerState): BreakerState {
  const stored: EndpointState = state;
  return stored;
}

function failed(fault: FaultKind, retryAfterMs?: number): BreakerEvent {
  return {
    kind: "failed",
    fault,
    sentence: "It failed.",
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

interface Step {
  readonly name: string;
  readonly state: BreakerState;
  readonly event: BreakerEvent;
  readonly expected: BreakerState;
}

const because3 = "3 runs in a row failed, the last with: It failed.";
const because4 = "4 runs in a row failed, the last with: It failed.";
const quiet = "the agency asked for quiet (Retry-After)";

const steps: readonly Step[] = [
  {
    name: "first failure counts",
    state: { consecutiveFailures: 0 },
    event: failed("transient"),
    expected: { consecutiveFailures: 1 },
  },
  {
    name: "second failure counts",
    state: { consecutiveFailures: 1 },
    event: failed("gone"),
    expected: { consecutiveFailures: 2 },
  },
  {
    name: "C87 third failure opens for 15 minutes",
    state: { consecutiveFailures: 2 },
    event: failed("denied"),
    expected: {
      consecutiveFailures: 3,
      openedAt: "2026-05-01T12:00:00Z",
      blockedUntil: "2026-05-01T12:15:00Z",
      blockedBecause: because3,
    },
  },
  {
    name: "the probe fails: opened again for twice as long, since the same day",
    state: {
      consecutiveFailures: 3,
      openedAt: "2026-04-30T00:00:00Z",
      blockedUntil: "2026-05-01T11:00:00Z",
      blockedBecause: because3,
    },
    event: failed("unavailable"),
    expected: {
      consecutiveFailures: 4,
      openedAt: "2026-04-30T00:00:00Z",
      blockedUntil: "2026-05-01T12:30:00Z",
      blockedBecause: because4,
    },
  },
  {
    name: "the rest never grows beyond a day",
    state: { consecutiveFailures: 60, openedAt: "2026-04-01T00:00:00Z" },
    event: failed("transient"),
    expected: {
      consecutiveFailures: 61,
      openedAt: "2026-04-01T00:00:00Z",
      blockedUntil: "2026-05-02T12:00:00Z",
      blockedBecause: "61 runs in a row failed, the last with: It failed.",
    },
  },
  {
    name: "the probe succeeds: closed, all forgotten",
    state: {
      consecutiveFailures: 4,
      openedAt: "2026-04-30T00:00:00Z",
      blockedUntil: "2026-05-01T11:00:00Z",
      blockedBecause: because4,
    },
    event: { kind: "succeeded" },
    expected: { consecutiveFailures: 0 },
  },
  ...(
    ["store", "busy", "config", "interrupted", "bug", "refused", "list-loop", "token-expired"] as const
  ).map((kind): Step => ({
    name: `${kind} is not the endpoint's fault`,
    state: { consecutiveFailures: 2 },
    event: failed(kind),
    expected: { consecutiveFailures: 2 },
  })),
  {
    name: "C74 Retry-After blocks in full and does not count as a failure",
    state: { consecutiveFailures: 2 },
    event: failed("throttled", 86_400_000),
    expected: { consecutiveFailures: 2, blockedUntil: "2026-05-02T12:00:00Z", blockedBecause: quiet },
  },
  {
    name: "C74 a block is rounded up, never sooner",
    state: { consecutiveFailures: 0 },
    event: failed("throttled", 1001),
    expected: { consecutiveFailures: 0, blockedUntil: "2026-05-01T12:00:02Z", blockedBecause: quiet },
  },
  {
    name: "C74 a shorter Retry-After does not shorten a block",
    state: { consecutiveFailures: 0, blockedUntil: "2026-05-03T00:00:00Z", blockedBecause: quiet },
    event: failed("throttled", 1000),
    expected: { consecutiveFailures: 0, blockedUntil: "2026-05-03T00:00:00Z", blockedBecause: quiet },
  },
  {
    name: "C74 success elsewhere does not take back quiet that was asked for",
    state: { consecutiveFailures: 1, blockedUntil: "2026-05-01T13:00:00Z", blockedBecause: quiet },
    event: { kind: "succeeded" },
    expected: { consecutiveFailures: 0, blockedUntil: "2026-05-01T13:00:00Z", blockedBecause: quiet },
  },
  {
    name: "a block that has passed is dropped by success",
    state: { consecutiveFailures: 1, blockedUntil: "2026-05-01T11:00:00Z", blockedBecause: quiet },
    event: { kind: "succeeded" },
    expected: { consecutiveFailures: 0 },
  },
  {
    name: "throttled without Retry-After changes nothing",
    state: { consecutiveFailures: 1 },
    event: failed("throttled"),
    expected: { consecutiveFailures: 1 },
  },
];

describe("nextBreaker", () => {
  it.each(steps)("$name", ({ state, event, expected }) => {
    expect(nextBreaker(sameShape(state), event, { now, policy })).toEqual(expected);
  });

  it("has a policy of its own: third failure, 15 minutes", () => {
    expect(nextBreaker({ consecutiveFailures: 2 }, failed("transient"), { now }).blockedUntil).toBe(
      "2026-05-01T12:15:00Z",
    );
  });
});

describe("mayAsk", () => {
  const table: readonly (readonly [string, BreakerState, Permission])[] = [
    ["nothing known", { consecutiveFailures: 0 }, { kind: "ok", probe: false }],
    ["failures below the limit", { consecutiveFailures: 2 }, { kind: "ok", probe: false }],
    [
      "open",
      {
        consecutiveFailures: 3,
        openedAt: "2026-05-01T11:50:00Z",
        blockedUntil: "2026-05-01T12:05:00Z",
        blockedBecause: because3,
      },
      { kind: "wait", until: "2026-05-01T12:05:00Z", why: because3 },
    ],
    [
      "half open: the rest is over",
      {
        consecutiveFailures: 3,
        openedAt: "2026-05-01T11:00:00Z",
        blockedUntil: "2026-05-01T12:00:00Z",
        blockedBecause: because3,
      },
      { kind: "ok", probe: true },
    ],
    [
      "C74 Retry-After still running",
      { consecutiveFailures: 0, blockedUntil: "2026-05-01T12:00:01Z", blockedBecause: quiet },
      { kind: "wait", until: "2026-05-01T12:00:01Z", why: quiet },
    ],
    [
      "blocked without a reason",
      { consecutiveFailures: 0, blockedUntil: "2026-05-02T00:00:00Z" },
      { kind: "wait", until: "2026-05-02T00:00:00Z", why: "the endpoint is resting" },
    ],
    [
      "a stored time nobody can read does not block for ever",
      { consecutiveFailures: 0, blockedUntil: "soon" },
      { kind: "ok", probe: false },
    ],
  ];
  it.each(table)("%s", (_name, state, expected) => {
    expect(mayAsk(state, now)).toEqual(expected);
  });
});
