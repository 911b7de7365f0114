/** A clock that stands until it is told to go on. */
import type { Clock } from "../../controller/clock.js";

export interface FakeClock extends Clock {
  /** Lets `ms` pass: due timers run in the order they are due, and promises get their turn after each. */
  pass(ms: number): Promise<void>;
  /** Moves the wall clock alone, as an operator or NTP would. */
  jump(ms: number): void;
  /** Timers that wait. */
  readonly waiting: number;
}

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly then: () => void;
}

export function fakeClock(start = Date.parse("2026-12-01T00:00:00Z")): FakeClock {
  const timers = new Set<Timer>();
  let elapsed = 0;
  let skew = 0;
  let order = 0;
  return {
    now: () => start + skew + elapsed,
    elapsed: () => elapsed,
    after: (ms, then) => {
      const timer: Timer = { due: elapsed + Math.max(0, ms), order: order++, then };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    pass: async (ms) => {
      const end = elapsed + ms;
      await settle();
      for (;;) {
        const next = [...timers]
          .filter(({ due }) => due <= end)
          .sort((a, b) => a.due - b.due || a.order - b.order)[0];
        if (next === undefined) break;
        timers.delete(next);
        elapsed = Math.max(elapsed, next.due);
        next.then();
        await settle();
      }
      elapsed = end;
    },
    jump: (ms) => {
      skew += ms;
    },
    get waiting() {
      return timers.size;
    },
  };
}

/** Long enough for every chain of promises that waits for no timer and no socket. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}
