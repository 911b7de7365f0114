import { describe, expect, it } from "vitest";
import { decideNext, type Ended, type Health, type Next } from "./watch-loop-decision.js";

interface Row {
  readonly name: string;
  readonly ended: Ended;
  readonly health?: Partial<Health>;
  readonly expect: Next;
}

const fresh: Health = { failures: 0, elapsedMs: 0, healthyMs: 0, random: 0 };
const list = (rest: Omit<Ended, "what">): Ended => ({ what: "list", ...rest });
const watch = (rest: Omit<Ended, "what">): Ended => ({ what: "watch", ...rest });

const rows: readonly Row[] = [
  {
    name: "the server's own end after minutes: at once, from where we were",
    ended: watch({ how: "closed" }),
    health: { elapsedMs: 420_000, healthyMs: 420_000 },
    expect: { kind: "resume", afterMs: 0, reason: "closed", failures: 0 },
  },
  {
    name: "closed after exactly one second is no failure, and forgives none",
    ended: watch({ how: "closed" }),
    health: { elapsedMs: 1_000, healthyMs: 1_000, failures: 3 },
    expect: { kind: "resume", afterMs: 0, reason: "closed", failures: 3 },
  },
  {
    name: "closed under a second is a failure",
    ended: watch({ how: "closed" }),
    health: { elapsedMs: 999 },
    expect: { kind: "resume", afterMs: 800, reason: "closed-early", failures: 1 },
  },
  {
    name: "closed under a second for the fourth time",
    ended: watch({ how: "closed" }),
    health: { elapsedMs: 5, failures: 3, random: 0.5 },
    expect: { kind: "resume", afterMs: 9_600, reason: "closed-early", failures: 4 },
  },
  {
    name: "410 after health: list at once",
    ended: watch({ how: "failed", status: 410, detail: "Expired" }),
    expect: { kind: "relist", afterMs: 0, reason: "expired", failures: 1 },
  },
  {
    name: "410 again: list, but slower",
    ended: watch({ how: "failed", status: 410 }),
    health: { failures: 1 },
    expect: { kind: "relist", afterMs: 1_600, reason: "expired", failures: 2 },
  },
  {
    name: "410 after two minutes of health is the first again",
    ended: watch({ how: "failed", status: 410 }),
    health: { failures: 6, healthyMs: 120_000 },
    expect: { kind: "relist", afterMs: 0, reason: "expired", failures: 1 },
  },
  {
    name: "410 in the middle of a paged list",
    ended: list({ how: "failed", status: 410 }),
    expect: { kind: "relist", afterMs: 800, reason: "expired", failures: 1 },
  },
  {
    name: "connection reset",
    ended: watch({ how: "failed", status: 0, detail: "ECONNRESET" }),
    health: { random: 0.25 },
    expect: { kind: "resume", afterMs: 1_000, reason: "unreachable", failures: 1 },
  },
  {
    name: "connection reset just short of two minutes of health",
    ended: watch({ how: "failed", status: 0 }),
    health: { failures: 2, healthyMs: 119_999 },
    expect: { kind: "resume", afterMs: 3_200, reason: "unreachable", failures: 3 },
  },
  {
    name: "unreachable for the hundredth time: the cap, and still no list",
    ended: watch({ how: "failed", status: 0 }),
    health: { failures: 99 },
    expect: { kind: "resume", afterMs: 15_000, reason: "unreachable", failures: 100 },
  },
  {
    name: "throttled: as long as the server says",
    ended: watch({ how: "failed", status: 429, retryAfterSeconds: 7 }),
    expect: { kind: "resume", afterMs: 7_000, reason: "throttled", failures: 1 },
  },
  {
    name: "throttled for less than the own wait",
    ended: watch({ how: "failed", status: 429, retryAfterSeconds: 1 }),
    health: { failures: 3 },
    expect: { kind: "resume", afterMs: 6_400, reason: "throttled", failures: 4 },
  },
  {
    name: "a Retry-After of a year is bounded",
    ended: list({ how: "failed", status: 503, retryAfterSeconds: 31_536_000 }),
    expect: { kind: "relist", afterMs: 300_000, reason: "server-error", failures: 1 },
  },
  {
    name: "ERROR event 500",
    ended: watch({ how: "failed", status: 500, detail: "InternalError" }),
    expect: { kind: "resume", afterMs: 800, reason: "server-error", failures: 1 },
  },
  {
    name: "504 for the fifth time, as for a resource version from before a restore: list",
    ended: watch({ how: "failed", status: 504, detail: "Timeout" }),
    health: { failures: 4 },
    expect: { kind: "relist", afterMs: 12_800, reason: "server-error", failures: 5 },
  },
  {
    name: "504 for the sixth time: resume, lists are dear",
    ended: watch({ how: "failed", status: 504 }),
    health: { failures: 5 },
    expect: { kind: "resume", afterMs: 15_000, reason: "server-error", failures: 6 },
  },
  {
    name: "ERROR event without a code",
    ended: watch({ how: "failed", status: -1 }),
    expect: { kind: "resume", afterMs: 800, reason: "server-error", failures: 1 },
  },
  {
    name: "400: the server does not like what we ask from",
    ended: watch({ how: "failed", status: 400, detail: "BadRequest" }),
    expect: { kind: "relist", afterMs: 800, reason: "refused", failures: 1 },
  },
  {
    name: "404: the definition has gone, and everything with it",
    ended: watch({ how: "failed", status: 404 }),
    expect: { kind: "relist", afterMs: 800, reason: "not-found", failures: 1 },
  },
  {
    name: "403: the rights have gone, not the place in the stream",
    ended: watch({ how: "failed", status: 403 }),
    expect: { kind: "resume", afterMs: 800, reason: "denied", failures: 1 },
  },
  {
    name: "403 on the list",
    ended: list({ how: "failed", status: 403 }),
    health: { failures: 10 },
    expect: { kind: "relist", afterMs: 15_000, reason: "denied", failures: 11 },
  },
  {
    name: "silence: the place is good, the connection is not",
    ended: watch({ how: "silent" }),
    expect: { kind: "resume", afterMs: 800, reason: "silent", failures: 1 },
  },
  {
    name: "an event that names no object may have been a change",
    ended: watch({ how: "confused" }),
    expect: { kind: "relist", afterMs: 800, reason: "confused", failures: 1 },
  },
  {
    name: "a list that does not come",
    ended: list({ how: "silent" }),
    expect: { kind: "relist", afterMs: 800, reason: "silent", failures: 1 },
  },
  {
    name: "a list from the past",
    ended: list({ how: "stale" }),
    health: { failures: 1 },
    expect: { kind: "relist", afterMs: 1_600, reason: "stale-list", failures: 2 },
  },
  {
    name: "time for the periodic list",
    ended: watch({ how: "relist-due" }),
    health: { failures: 2, healthyMs: 500_000 },
    expect: { kind: "relist", afterMs: 0, reason: "relist-due", failures: 0 },
  },
];

describe("after a list or watch has ended", () => {
  it.each(rows)("$name", ({ ended, health, expect: expected }) => {
    expect(decideNext(ended, { ...fresh, ...health })).toEqual(expected);
  });
});
