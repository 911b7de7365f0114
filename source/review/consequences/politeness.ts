import type { HarvestSourceSpec } from "../../harvest-source.generated.js";
import type { Consequence } from "../consequence.js";
import { count, plural } from "../figures.js";
import { eachChanged, tell, type Compared, type ConsequenceRule } from "./consequence-rule.js";

/** How hard one source asks its host. */
export const politeness: ConsequenceRule = eachChanged((compared) => [
  ...concurrency(compared),
  ...retryAfter(compared),
  ...rateLimit(compared),
  ...retries(compared),
]);

function concurrency(compared: Compared): readonly Consequence[] {
  const [old, now] = [compared.before.concurrency.maxRequests, compared.after.concurrency.maxRequests];
  if (old === now) return [];
  return [
    tell(compared, ["spec", "concurrency", "maxRequests"], {
      id: now > old ? "concurrency-raised" : "concurrency-lowered",
      sentence: `${compared.change.key} asks for ${plural(now, "request")} at once instead of ${count(old)}.`,
    }),
  ];
}

function retryAfter(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  if (before.concurrency.respectRetryAfter === after.concurrency.respectRetryAfter) return [];
  const at = ["spec", "concurrency", "respectRetryAfter"];
  if (after.concurrency.respectRetryAfter)
    return [
      tell(compared, at, {
        id: "retry-after-respected",
        sentence: `${change.key} waits as long as its server asks for (Retry-After).`,
      }),
    ];
  return [
    tell(compared, at, {
      id: "retry-after-ignored",
      sentence: `${change.key} no longer waits when its server asks for quiet (Retry-After); it may be shut out.`,
      remedy: "Leave it on; if a server asks for absurd times, talk to its operator.",
    }),
  ];
}

function rateLimit(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  const [old, now] = [before.concurrency.requestsPerSecond, after.concurrency.requestsPerSecond];
  if (old === now) return [];
  const at = ["spec", "concurrency", "requestsPerSecond"];
  if (now === undefined)
    return [
      tell(compared, at, {
        id: "rate-limit-removed",
        sentence: `${change.key} starts requests as fast as answers come; until now at most ${String(old)} a second.`,
      }),
    ];
  return [
    tell(compared, at, {
      id: "rate-limit-changed",
      sentence: `${change.key} starts at most ${plural(now, "request")} a second (until now ${old === undefined ? "without a limit" : String(old)}).`,
    }),
  ];
}

type Backoff = HarvestSourceSpec["backoff"];

function retries(compared: Compared): readonly Consequence[] {
  const [old, now] = [compared.before.backoff, compared.after.backoff];
  const at = ["spec", "backoff"];
  const { key } = compared.change;
  const harder = harderPoints(old, now);
  if (harder.length > 0)
    return [
      tell(compared, at, {
        id: "retries-harder",
        sentence: `${key} asks a server in trouble harder: ${harder.join("; ")}.`,
      }),
    ];
  if (harderPoints(now, old).length === 0) return [];
  return [
    tell(compared, at, {
      id: "retries-softer",
      sentence: `${key} asks a server in trouble less hard: ${plural(now.maxAttempts, "attempt")}, waits of ${count(now.initialMs)} to ${count(now.maxMs)} ms.`,
    }),
  ];
}

function harderPoints(old: Backoff, now: Backoff): readonly string[] {
  return [
    ...(now.maxAttempts > old.maxAttempts
      ? [`${count(now.maxAttempts)} attempts instead of ${count(old.maxAttempts)}`]
      : []),
    ...shorter("the first wait", now.initialMs, old.initialMs),
    ...shorter("the longest wait", now.maxMs, old.maxMs),
    ...noJitter(old, now),
  ];
}

function shorter(what: string, now: number, old: number): readonly string[] {
  return now < old ? [`${what} is ${count(now)} ms instead of ${count(old)}`] : [];
}

function noJitter(old: Backoff, now: Backoff): readonly string[] {
  return now.jitter === "none" && old.jitter !== "none"
    ? ["waits are no longer random, so that sources come back together"]
    : [];
}
