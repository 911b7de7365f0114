import type { Instant } from "../record.js";

/** `2026-11-30 00:00:19.12+00`, as both engines write a timestamptz in UTC, as an Instant; fractions are cut. */
export function instantFromPostgres(text: string): Instant {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}Z`;
}
