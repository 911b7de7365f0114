/**
 * When generated records were last changed: a function of the index alone that only grows, so that a `from` is turned
 * into an index by bisection and no list of a million datestamps is ever kept. The root makes early records lie far
 * apart (300 records span 12 days) and late ones close (a million span 695 days).
 */

/** 2023-01-01T00:00:00Z, in seconds of the epoch. */
const START = 1_672_531_200;

/** Datestamp of a generated record, in seconds of the epoch. */
export function stampOf(index: number): number {
  return START + Math.floor(60_000 * Math.sqrt(index));
}

/** `YYYY-MM-DD` of a time in seconds of the epoch. */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
