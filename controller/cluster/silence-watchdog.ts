import type { Clock } from "../clock.js";

export interface Watchdog {
  /** Something was heard: the limit begins anew. */
  heard(): void;
  stop(): void;
}

/**
 * Calls `bark` once when nothing was heard for `limitMs`. A dead load balancer, a half-open connection or a frozen API
 * server sends neither data nor an error, and TCP does not tell for hours. Costs one timer per limit, not one per byte.
 */
export function createWatchdog(clock: Clock, limitMs: number, bark: () => void): Watchdog {
  let last = clock.elapsed();
  let cancel = clock.after(limitMs, look);

  function look(): void {
    const left = last + limitMs - clock.elapsed();
    if (left > 0) cancel = clock.after(left, look);
    else bark();
  }

  return {
    heard: () => {
      last = clock.elapsed();
    },
    stop: () => {
      cancel();
    },
  };
}
