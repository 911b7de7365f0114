import type { Instant } from "../record.js";

/**
 * The source's clock less ours when its answer had been read, in whole seconds: above 0 it is ahead. The source writes
 * whole seconds (OAI-PMH §3.3) and the answer took its way, so a second or two mean nothing. Absent where it told no time.
 */
export function clockSkew(serverTime: Instant | undefined, now: Date): number | undefined {
  const theirs = serverTime === undefined ? Number.NaN : Date.parse(serverTime);
  if (Number.isNaN(theirs)) return undefined;
  const seconds = Math.round((theirs - now.getTime()) / 1000);
  return seconds === 0 ? 0 : seconds;
}
