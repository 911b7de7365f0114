import { describe, expect, it } from "vitest";
import { decideRetry, type RetryDecision, type RetryQuestion } from "./retry-decision.js";

const usual: RetryQuestion = {
  failure: { kind: "status", status: 503, message: "" },
  replayable: true,
  attempt: 1,
  elapsedMs: 0,
  lastWaitMs: 0,
  renewed: false,
  random: 0.5,
  policy: { maxAttempts: 5, totalMs: 60_000, baseMs: 200, capMs: 10_000 },
};

function status(code: number, more: { message?: string; retryAfterMs?: number } = {}) {
  return { failure: { kind: "status", status: code, message: "", ...more } } as const;
}

function network(group: "unsent" | "cut" | "silent" | "tls" | "final") {
  return { failure: { kind: "network", group } } as const;
}

const final: RetryDecision = { kind: "give-up", reason: "final" };
const unsafe: RetryDecision = { kind: "give-up", reason: "not-replayable" };
const first: RetryDecision = { kind: "wait", ms: 200, reason: "backoff" };

const table: readonly {
  readonly name: string;
  readonly given: Partial<RetryQuestion>;
  readonly expect: RetryDecision;
}[] = [
  { name: "503 of a read", given: {}, expect: first },
  { name: "500 of a read", given: status(500), expect: first },
  { name: "502 from a load balancer", given: status(502), expect: first },
  { name: "504 of a read", given: status(504), expect: first },
  { name: "503 of a create: it may have been made", given: { replayable: false }, expect: unsafe },
  { name: "500 of a create", given: { ...status(500), replayable: false }, expect: unsafe },
  { name: "504 of a create", given: { ...status(504), replayable: false }, expect: unsafe },
  { name: "429 of a create: nothing was done", given: { ...status(429), replayable: false }, expect: first },
  {
    name: "429 with Retry-After, in full and a little more",
    given: status(429, { retryAfterMs: 7000 }),
    expect: { kind: "wait", ms: 7100, reason: "retry-after" },
  },
  {
    name: "Retry-After beyond the longest own wait is honoured",
    given: status(503, { retryAfterMs: 30_000 }),
    expect: { kind: "wait", ms: 30_100, reason: "retry-after" },
  },
  {
    name: "Retry-After beyond the time that is left",
    given: { ...status(429, { retryAfterMs: 30_000 }), elapsedMs: 31_000 },
    expect: { kind: "give-up", reason: "no-time-left" },
  },
  { name: "400", given: status(400), expect: final },
  { name: "403", given: status(403), expect: final },
  { name: "404", given: status(404), expect: final },
  { name: "409", given: status(409), expect: final },
  { name: "410", given: status(410), expect: final },
  { name: "422", given: status(422), expect: final },
  { name: "a redirect", given: status(302), expect: final },
  {
    name: "500 of an apply with a field the server does not know",
    given: status(500, {
      message:
        "failed to create typed patch object (/x; /v1, Kind=ConfigMap): .a: field not declared in schema",
    }),
    expect: final,
  },
  { name: "401: perhaps the token was replaced", given: status(401), expect: { kind: "renew" } },
  { name: "401 of a create", given: { ...status(401), replayable: false }, expect: { kind: "renew" } },
  { name: "401 again", given: { ...status(401), renewed: true }, expect: final },
  { name: "401 at the last attempt", given: { ...status(401), attempt: 5 }, expect: { kind: "renew" } },
  { name: "TLS failure", given: network("tls"), expect: { kind: "renew" } },
  { name: "TLS failure again", given: { ...network("tls"), renewed: true }, expect: final },
  { name: "connection refused", given: network("unsent"), expect: first },
  {
    name: "connection refused, of a create",
    given: { ...network("unsent"), replayable: false },
    expect: first,
  },
  { name: "reset", given: network("cut"), expect: first },
  { name: "reset, of a create", given: { ...network("cut"), replayable: false }, expect: unsafe },
  { name: "no answer in time", given: network("silent"), expect: first },
  {
    name: "no answer in time, of a create",
    given: { ...network("silent"), replayable: false },
    expect: unsafe,
  },
  { name: "stopped", given: network("final"), expect: final },
  {
    name: "the fifth of five",
    given: { attempt: 5 },
    expect: { kind: "give-up", reason: "attempts-exhausted" },
  },
  {
    name: "no time left for the wait",
    given: { elapsedMs: 59_900 },
    expect: { kind: "give-up", reason: "no-time-left" },
  },
  {
    name: "drawn between the base and three times the last wait",
    given: { lastWaitMs: 1000, attempt: 3 },
    expect: { kind: "wait", ms: 1600, reason: "backoff" },
  },
  {
    name: "never below the base",
    given: { lastWaitMs: 1000, random: 0 },
    expect: { kind: "wait", ms: 200, reason: "backoff" },
  },
  {
    name: "never above the cap",
    given: { lastWaitMs: 9000, random: 0.99 },
    expect: { kind: "wait", ms: 10_000, reason: "backoff" },
  },
];

describe("decideRetry", () => {
  it.each(table)("$name", ({ given, expect: expected }) => {
    expect(decideRetry({ ...usual, ...given })).toEqual(expected);
  });
});
