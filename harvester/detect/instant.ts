/** Arithmetic on instants of UTC. They are compared as text: the form `YYYY-MM-DDThh:mm:ssZ` sorts by time. */
import type { Instant } from "../record.js";

export const DAY_SECONDS = 86_400;

export function toSeconds(instant: Instant): number {
  return Math.floor(Date.parse(instant) / 1000);
}

const FIRST = toSeconds("0001-01-01T00:00:00Z");
const LAST = toSeconds("9999-12-31T23:59:59Z");

/** Clamped to the years an instant can be written in. */
export function fromSeconds(seconds: number): Instant {
  const clamped = Math.min(Math.max(seconds, FIRST), LAST);
  return `${new Date(clamped * 1000).toISOString().slice(0, 19)}Z`;
}

export function addSeconds(instant: Instant, seconds: number): Instant {
  return fromSeconds(toSeconds(instant) + seconds);
}

/** The midnight that begins its day. */
export function floorDay(instant: Instant): Instant {
  return `${instant.slice(0, 10)}T00:00:00Z`;
}

export function earlier(one: Instant, other: Instant): Instant {
  return one <= other ? one : other;
}

export function later(one: Instant, other: Instant): Instant {
  return one >= other ? one : other;
}
