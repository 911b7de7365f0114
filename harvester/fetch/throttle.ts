/** How many requests of this process are in flight, and how far apart they start. What holds over all pods is the store's. */
import { Fault } from "../fault.js";

/** First come, first served. `places` is at least 1. */
export class InFlightLimit {
  #free: number;
  readonly #waiting: Waiter[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Resolves with the function that gives the place back (calling it twice gives it back once). Rejects when aborted. */
  take(signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted === true) return Promise.reject(stopped(signal));
    if (this.#free > 0) return Promise.resolve(this.#place());
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start: () => {
          signal?.removeEventListener("abort", waiter.onAbort);
          resolve(this.#place());
        },
        onAbort: () => {
          this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
          reject(stopped(signal));
        },
      };
      signal?.addEventListener("abort", waiter.onAbort, { once: true });
      this.#waiting.push(waiter);
    });
  }

  /** Takes a place for the length of the task. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.take(signal);
    try {
      return await task();
    } finally {
      release();
    }
  }

  #place(): () => void {
    let held = true;
    this.#free -= 1;
    return () => {
      if (!held) return;
      held = false;
      this.#free += 1;
      this.#waiting.shift()?.start();
    };
  }
}

interface Waiter {
  readonly start: () => void;
  readonly onAbort: () => void;
}

export interface PaceOptions {
  /** Absent: no pace is asked for, and nothing is reserved. */
  readonly requestsPerSecond?: number | undefined;
  /** Reserves the next request of the host and says how long to wait for it, in ms (RunStore.reserve, over all pods). */
  readonly reserve: (requestsPerSecond: number) => Promise<number>;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Waits until the host's pace allows one more request; call it before each request. */
export async function pace(options: PaceOptions, signal?: AbortSignal): Promise<void> {
  if (options.requestsPerSecond === undefined) return;
  const ms = await options.reserve(options.requestsPerSecond);
  if (ms > 0) await options.sleep(ms, signal);
}

function stopped(signal: AbortSignal | undefined): Fault {
  if (signal?.reason instanceof Fault) return signal.reason;
  return new Fault("interrupted", {
    code: "Interrupted",
    sentence: "The run was stopped before the request was sent.",
    cause: signal?.reason,
  });
}
