/**
 * A host's ceiling: how many requests may be in flight, and how many a second. Over all processes in PostgreSQL (leases
 * with an expiry and a token; advisory locks never end when a pod freezes), in memory where there is one process.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Db } from "./db.js";
import { SharedSlots } from "./shared-slots.js";
import { reserveRequest } from "./sql/reserve-request.js";
import type { RunStore } from "./store.js";

export interface Limiter extends Pick<RunStore, "acquireSlot" | "reserve"> {
  /** Gives back what is still held. */
  close(): Promise<void>;
}

/** For one process: a count and a clock in memory. */
export function createLocalLimiter(): Limiter {
  const inFlight = new Map<string, number>();
  const arrival = new Map<string, number>();
  return {
    async acquireSlot(host, slots, signal) {
      // Its own rejection would not say why the run was stopped; the signal does.
      while (!signal.aborted && (inFlight.get(host) ?? 0) >= Math.max(1, slots))
        await wait(10, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
      inFlight.set(host, (inFlight.get(host) ?? 0) + 1);
      return once(() => {
        inFlight.set(host, (inFlight.get(host) ?? 1) - 1);
        return Promise.resolve();
      });
    },
    reserve(host, requestsPerSecond) {
      const now = performance.now();
      const at = Math.max(arrival.get(host) ?? 0, now);
      arrival.set(host, at + 1000 / requestsPerSecond);
      return Promise.resolve(at - now);
    },
    close: () => Promise.resolve(),
  };
}

/** For many processes on one PostgreSQL. */
export function createSharedLimiter(db: Db): Limiter {
  const slots = new SharedSlots(db);
  return {
    async acquireSlot(host, ceiling, signal) {
      const slot = await slots.acquire(host, Math.max(1, ceiling), signal);
      return once(() => slots.release(slot));
    },
    async reserve(host, requestsPerSecond) {
      const [row] = await db.query<{ wait_ms: number }>(reserveRequest, [host, 1 / requestsPerSecond]);
      return row?.wait_ms ?? 0;
    },
    close: () => slots.close(),
  };
}

/** A slot given back twice must not free somebody else's. */
function once(act: () => Promise<void>): () => Promise<void> {
  let done = false;
  return async () => {
    if (done) return;
    done = true;
    await act();
  };
}
