/** How long a key that failed waits. Pure: the random number is handed in. */

export const FIRST_RETRY_MS = 750;
export const LONGEST_RETRY_MS = 15 * 60_000;

/**
 * Doubles with every failure, from 750 ms to 15 minutes (the bounds of Flux), and up to as much again by chance: a thousand
 * sources that failed together do not come back together.
 * @param failures 1 after the first one.
 * @param random from 0 (included) to 1 (excluded).
 */
export function backoffMs(failures: number, random: number): number {
  const doubled = FIRST_RETRY_MS * 2 ** Math.min(Math.max(0, failures - 1), 40);
  return Math.round(Math.min(doubled, LONGEST_RETRY_MS / 2) * (1 + random));
}
