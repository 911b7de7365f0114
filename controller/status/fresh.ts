import { wholeSeconds } from "../bounded-text.js";
import { isHeld, type Facts } from "./facts.js";
import type { Saying } from "./vocabulary.js";

/**
 * Does the catalogue keep up with the source? Times are absolute, so that the message changes only when something happened.
 */
export function fresh(facts: Facts): Saying<"Fresh"> {
  const { input, freshness, status } = facts;
  if (isHeld(input)) return held(status.lastSuccessTime);
  if (freshness.kind === "unknown")
    return {
      status: "Unknown",
      reason: "NoSchedule",
      message: "Its schedule cannot be read or does not come round often enough to tell.",
    };
  return freshness.kind === "first" ? first(freshness.until, input.now) : later(freshness, input.now);
}

function held(lastSuccessTime: string | undefined): Saying<"Fresh"> {
  const last = lastSuccessTime === undefined ? "there was none yet" : `the last ended at ${lastSuccessTime}`;
  return {
    status: "Unknown",
    reason: "Paused",
    message: `No run is expected while the source is held; of the complete runs ${last}.`,
  };
}

function first(until: Date, now: Date): Saying<"Fresh"> {
  const by = wholeSeconds(until);
  return now < until
    ? { status: "Unknown", reason: "NoSuccessYet", message: `The first complete run is expected by ${by}.` }
    : {
        status: "False",
        reason: "NeverSucceeded",
        message: `No run has been complete yet; the first was expected by ${by}.`,
      };
}

function later(
  { since, until }: { readonly since: string; readonly until: Date },
  now: Date,
): Saying<"Fresh"> {
  const by = wholeSeconds(until);
  return now < until
    ? {
        status: "True",
        reason: "WithinSchedule",
        message: `The last complete run ended at ${since}; the next is expected by ${by}.`,
      }
    : {
        status: "False",
        reason: "Overdue",
        message: `No complete run since ${since}; by its schedule one was expected by ${by}.`,
      };
}
