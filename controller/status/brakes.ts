import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import { boundedText, instantOf, wholeSeconds } from "../bounded-text.js";
import { annotations as names } from "../names.js";
import { MAX_REQUEST } from "./bounds.js";
import type { Pause } from "./input.js";

type Annotations = Readonly<Record<string, string>> | undefined;

const MAX_REASON = 500;

/**
 * The brake of the annotations, when it is on. `paused` puts it on whatever it says; `paused-until` takes it off by itself.
 * An end that cannot be read ends nothing: a source somebody wanted quiet stays quiet.
 */
export function pauseOf(annotations: Annotations, now: Date): Pause | undefined {
  const said = annotations?.[names.paused];
  if (said === undefined) return undefined;
  const reason = boundedText(said, MAX_REASON) || "no reason given";
  const end = annotations?.[names.pausedUntil];
  if (end === undefined) return { reason };
  const until = instantOf(end.trim());
  if (until === undefined) return { reason, problem: unreadable(end) };
  return Date.parse(until) > now.getTime() ? { reason, until: wholeSeconds(roundUp(until)) } : undefined;
}

function unreadable(end: string): string {
  return `${names.pausedUntil} "${boundedText(end, 64)}" is no time such as 2026-12-24T06:00:00Z, so the pause does not end by itself`;
}

/** A status has whole seconds; the pause must not seem to end before it does. */
function roundUp(instant: string): Date {
  return new Date(Math.ceil(Date.parse(instant) / 1000) * 1000);
}

/** A run somebody asked for and that nobody has started yet. `value` is what status.lastHandledRequestedAt will hold. */
export function requestOf(
  annotations: Annotations,
  status: HarvestSourceStatus | undefined,
): { readonly value: string } | undefined {
  const value = boundedText(annotations?.[names.requestedAt] ?? "", MAX_REQUEST);
  return value === "" || value === status?.lastHandledRequestedAt ? undefined : { value };
}
