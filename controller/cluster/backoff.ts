/** First wait after a failure; client-go's reflectors begin with the same (reflector.go). */
const FIRST_MS = 800;
const CAP_MS = 30_000;
/** 0.8 s doubled six times is over the cap already; also keeps the power finite. */
const MAX_DOUBLINGS = 6;

/**
 * How long to wait after the `failures`-th failure in a row (from 1), in milliseconds: a random place in the upper half of
 * 1.6, 3.2, 6.4 ... 30 s. Random, so that the reflectors of all controllers do not come back together after an outage; in
 * the upper half, so that the number of requests in a time has a bound whatever the dice say.
 * `random`: from 0 to below 1.
 */
export function backoffMs(failures: number, random: number): number {
  const doublings = Math.min(Math.max(failures, 1), MAX_DOUBLINGS);
  const ceiling = Math.min(CAP_MS, FIRST_MS * 2 ** doublings);
  return Math.round((ceiling / 2) * (1 + random));
}
