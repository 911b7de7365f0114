/** Time as a room of the loop is given it, so that its tests need not sleep. */

export interface Clock {
  /** The wall clock, ms since 1970. For what people and other programs read; it may jump. */
  now(): number;
  /** Milliseconds since some moment; never jumps, never goes back. For every judgement about how long something took. */
  elapsed(): number;
  /** Calls `then` once, not before `ms` have passed. The answer takes it back; afterwards, or twice, that does nothing. */
  after(ms: number, then: () => void): () => void;
}

/** Node's timers overflow above this and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (ms, then) => {
    const due = performance.now() + ms;
    let timer = setTimeout(look, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    function look(): void {
      const left = due - performance.now();
      // Timers also fire up to a millisecond early, and the wait may be longer than one timer can be.
      if (left > 0) timer = setTimeout(look, Math.min(Math.ceil(left), LONGEST_TIMER_MS));
      else then();
    }
    return () => {
      clearTimeout(timer);
    };
  },
};
