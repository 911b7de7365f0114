/** Time as a room of the loop is given it, so that its tests need not sleep. */

export interface Clock {
  /** The wall clock, ms since 1970. For what people and other programs read; it may jump. */
  now(): number;
  /** Milliseconds since some moment; never jumps, never goes back. For every judgement about how long something took. */
  elapsed(): number;
  /** Calls `then` once, not before `ms` have passed. The answer takes it back; afterwards, or twice, that does nothing. */
  after(ms: number, then: () => void): () => void;
}

/** Node's timers overflow above this and fire at once: whoever waits longer looks again then. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (ms, then) => {
    const timer = setTimeout(then, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    return () => {
      clearTimeout(timer);
    };
  },
};
