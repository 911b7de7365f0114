import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fault, type FaultKind } from "../fault.js";
import { decideRetry, type RetryDecision, type RetryQuestion } from "./retry.js";

const policy = { initialMs: 1000, maxMs: 60_000, jitter: "full", maxAttempts: 5 } as const;

function failed(kind: FaultKind, retryAfterMs?: number): Fault {
  return new Fault(kind, {
    code: "Test",
    sentence: "It failed.",
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

interface Row {
  readonly name: string;
  readonly given: Partial<RetryQuestion>;
  readonly expected: RetryDecision;
}

const table: readonly Row[] = [
  {
    name: "C78 a 502: back-off within the first second",
    given: { random: 0.5 },
    expected: { kind: "wait", ms: 500, reason: "backoff" },
  },
  {
    name: "second failure: within two seconds",
    given: { attempt: 2, random: 0.5 },
    expected: { kind: "wait", ms: 1000, reason: "backoff" },
  },
  {
    name: "fourth failure: within eight seconds",
    given: { attempt: 4, random: 0.25 },
    expected: { kind: "wait", ms: 2000, reason: "backoff" },
  },
  {
    name: "the dice say zero: still a pause",
    given: { random: 0 },
    expected: { kind: "wait", ms: 250, reason: "backoff" },
  },
  {
    name: "never beyond maxMs",
    given: { attempt: 30, random: 0.999999, policy: { ...policy, maxAttempts: 100 } },
    expected: { kind: "wait", ms: 60_000, reason: "backoff" },
  },
  {
    name: "without jitter: the ceiling itself",
    given: { attempt: 3, random: 0.1, policy: { ...policy, jitter: "none" } },
    expected: { kind: "wait", ms: 4000, reason: "backoff" },
  },
  {
    name: "attempts used up",
    given: { attempt: 5 },
    expected: { kind: "give-up", reason: "attempts-exhausted" },
  },
  {
    name: "one attempt allowed",
    given: { policy: { ...policy, maxAttempts: 1 } },
    expected: { kind: "give-up", reason: "attempts-exhausted" },
  },
  { name: "no time left", given: { maxWaitMs: 100 }, expected: { kind: "give-up", reason: "no-time-left" } },
  {
    name: "C74 Retry-After within the run: in full, plus jitter",
    given: { fault: failed("throttled", 60_000), random: 0.5 },
    expected: { kind: "wait", ms: 60_500, reason: "retry-after" },
  },
  {
    name: "C74 Retry-After of a day: rest, remembered",
    given: { fault: failed("throttled", 86_400_000) },
    expected: { kind: "rest", ms: 86_400_000, reason: "retry-after-beyond-run" },
  },
  {
    name: "C74 Retry-After at the last attempt: rest, remembered",
    given: { attempt: 5, fault: failed("throttled", 60_000) },
    expected: { kind: "rest", ms: 60_000, reason: "retry-after-attempts-exhausted" },
  },
  {
    name: "Retry-After that just fits: jitter does not cost the retry",
    given: { fault: failed("throttled", 60_000), maxWaitMs: 60_000, random: 0.9 },
    expected: { kind: "wait", ms: 60_000, reason: "retry-after" },
  },
  {
    name: "Retry-After on a 500 counts too",
    given: { fault: failed("transient", 5000), random: 0 },
    expected: { kind: "wait", ms: 5000, reason: "retry-after" },
  },
  {
    name: "respectRetryAfter false: own back-off",
    given: { fault: failed("throttled", 60_000), respectRetryAfter: false, random: 0.5 },
    expected: { kind: "wait", ms: 500, reason: "backoff" },
  },
  {
    name: "throttled without Retry-After: back-off",
    given: { fault: failed("throttled"), random: 0.5 },
    expected: { kind: "wait", ms: 500, reason: "backoff" },
  },
  ...(
    [
      "denied",
      "gone",
      "protocol",
      "config",
      "unavailable",
      "list-loop",
      "token-expired",
      "interrupted",
      "bug",
    ] as const
  ).map((kind): Row => ({
    name: `C87 ${kind} is not asked again in this run`,
    given: { fault: failed(kind, 60_000) },
    expected: { kind: "give-up", reason: "not-retryable" },
  })),
];

describe("decideRetry", () => {
  it.each(table)("$name", ({ given, expected }) => {
    const usual = {
      attempt: 1,
      fault: failed("transient"),
      policy,
      respectRetryAfter: true,
      random: 0.5,
      maxWaitMs: 3_600_000,
    };
    expect(decideRetry({ ...usual, ...given })).toEqual(expected);
  });

  it("never waits less than Retry-After, nor longer than the run has", () => {
    const given = fc.record({
      attempt: fc.integer({ min: 1, max: 12 }),
      retryAfterMs: fc.integer({ min: 1000, max: 604_800_000 }),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      maxWaitMs: fc.integer({ min: 0, max: 604_800_000 }),
    });
    fc.assert(
      fc.property(given, ({ retryAfterMs, ...rest }) => {
        const decision = decideRetry({
          ...rest,
          fault: failed("throttled", retryAfterMs),
          policy,
          respectRetryAfter: true,
        });
        if (decision.kind === "wait") {
          expect(decision.ms).toBeGreaterThanOrEqual(retryAfterMs);
          expect(decision.ms).toBeLessThanOrEqual(rest.maxWaitMs);
        }
        if (decision.kind === "rest") expect(decision.ms).toBe(retryAfterMs);
        expect(decision.kind).not.toBe("give-up");
      }),
    );
  });
});
