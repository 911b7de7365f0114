/** The work queue of the loop: keys in, one call of the handler for each, never two at once for one key. */
import type { Clock } from "../clock.js";
import type { Key } from "../object.js";
import { backoffMs } from "./backoff.js";
import { Delays } from "./delays.js";
import { KeyLine } from "./key-line.js";

/** What a handler answers when the key is to be looked at again though nothing changes. */
export interface LookAgain {
  /** From now. Less than a second counts as one: a date that stays in the past must not become a hot loop. */
  readonly afterMs: number;
}

/**
 * Works on one key. Resolving is success: the back-off of the key is forgotten. Rejecting is a failure that may pass: the
 * key comes again after its back-off. A failure that will not pass until somebody changes something is success here.
 * `stopped` is aborted when the grace period after the stop is over.
 */
export type Handle = (key: Key, stopped: AbortSignal) => Promise<LookAgain | undefined>;

export type HandleResult = "success" | "requeue_after" | "error";

/** Told what happens, for metrics and logs. They must not throw. */
export interface QueueHooks {
  added?(): void;
  retried?(): void;
  /** A worker takes a key that waited so long. */
  taken?(waitedSeconds: number): void;
  worked?(work: HandledKey): void;
}

export interface HandledKey {
  readonly key: Key;
  readonly result: HandleResult;
  readonly seconds: number;
  /** What the handler rejected with; only with the result "error". */
  readonly error?: unknown;
  /** Failures of this key in a row, this one included. */
  readonly failures: number;
}

export interface QueueSnapshot {
  /** Keys that wait for a worker. */
  readonly depth: number;
  /** Keys with a date to come. */
  readonly delayed: number;
  /** Keys at work. */
  readonly working: number;
  /** Sum of the ages of the work not yet done. */
  readonly unfinishedSeconds: number;
  readonly longestSeconds: number;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** From 0 (included) to 1 (excluded), as Math.random. */
  readonly random: () => number;
  readonly hooks?: QueueHooks;
  /** How long work in progress may take to end after the stop; default 30 s. */
  readonly graceMs?: number;
}

export interface WorkQueue {
  /** Nothing when the key waits already, or after the stop. */
  add(key: Key): void;
  /** Adds it in `ms`; of several dates for one key the earliest wins. */
  addAfter(key: Key, ms: number): void;
  /** Counts a failure of the key and adds it after its back-off (750 ms to 15 min). */
  retry(key: Key): void;
  /** The key's next failure counts as its first. */
  forget(key: Key): void;
  /** Failures in a row. */
  failures(key: Key): number;
  snapshot(): QueueSnapshot;
  /**
   * Works with at most `workers` keys at once until the signal is aborted; then takes no key more and resolves when those at
   * work are done or the grace period is over, with the keys that were not done. To be called once.
   */
  run(workers: number, handle: Handle, signal: AbortSignal): Promise<readonly Key[]>;
}

const DEFAULT_GRACE_MS = 30_000;
const SOONEST_AGAIN_MS = 1_000;

export function createWorkQueue(options: WorkQueueOptions): WorkQueue {
  return new Queue(options);
}

class Queue implements WorkQueue {
  readonly #clock: Clock;
  readonly #options: WorkQueueOptions;
  readonly #line = new KeyLine();
  readonly #delays: Delays;
  readonly #failures = new Map<Key, number>();
  #stopped = false;
  /** Starts as much work as may be; nothing before run(). */
  #pump: () => void = () => undefined;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#delays = new Delays(options.clock, (key) => {
      this.add(key);
    });
  }

  add(key: Key): void {
    if (this.#stopped || !this.#line.add(key, this.#clock.elapsed())) return;
    this.#options.hooks?.added?.();
    this.#pump();
  }

  addAfter(key: Key, ms: number): void {
    if (this.#stopped) return;
    if (ms > 0) this.#delays.add(key, ms);
    else this.add(key);
  }

  retry(key: Key): void {
    if (this.#stopped) return;
    const failures = this.failures(key) + 1;
    this.#failures.set(key, failures);
    this.#options.hooks?.retried?.();
    this.addAfter(key, backoffMs(failures, this.#options.random()));
  }

  forget(key: Key): void {
    this.#failures.delete(key);
  }

  failures(key: Key): number {
    return this.#failures.get(key) ?? 0;
  }

  snapshot(): QueueSnapshot {
    const now = this.#clock.elapsed();
    const ages = [...this.#line.working.values()].map((since) => (now - since) / 1000);
    return {
      depth: this.#line.depth,
      delayed: this.#delays.size,
      working: ages.length,
      unfinishedSeconds: ages.reduce((sum, age) => sum + age, 0),
      longestSeconds: Math.max(0, ...ages),
    };
  }

  run(workers: number, handle: Handle, signal: AbortSignal): Promise<readonly Key[]> {
    return new Promise((resolve) => {
      const grace = new AbortController();
      let endGrace: () => void = () => undefined;
      const settle = (): void => {
        endGrace();
        const left = [...this.#line.working.keys()];
        grace.abort();
        resolve(left);
      };
      this.#pump = () => {
        if (this.#stopped && this.#line.working.size === 0) settle();
        while (!this.#stopped && this.#line.working.size < workers && this.#startNext(handle, grace.signal));
      };
      const stop = (): void => {
        this.#stopped = true;
        this.#delays.clear();
        endGrace = this.#clock.after(this.#options.graceMs ?? DEFAULT_GRACE_MS, settle);
        this.#pump();
      };
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
      this.#pump();
    });
  }

  #startNext(handle: Handle, stopped: AbortSignal): boolean {
    const taken = this.#line.take(this.#clock.elapsed());
    if (taken === undefined) return false;
    this.#options.hooks?.taken?.(taken.waitedMs / 1000);
    void this.#work(taken.key, () => handle(taken.key, stopped));
    return true;
  }

  /** Never rejects. The key is given its next date before it is done, so that at no moment nobody knows of it. */
  async #work(key: Key, handle: () => Promise<LookAgain | undefined>): Promise<void> {
    let ended: Pick<HandledKey, "result" | "failures" | "error">;
    try {
      const again = await handle();
      this.forget(key);
      if (again !== undefined)
        this.addAfter(key, again.afterMs > SOONEST_AGAIN_MS ? again.afterMs : SOONEST_AGAIN_MS);
      ended = { result: again === undefined ? "success" : "requeue_after", failures: 0 };
    } catch (error) {
      this.retry(key);
      ended = { result: "error", error, failures: this.failures(key) };
    }
    const seconds = this.#line.done(key, this.#clock.elapsed()) / 1000;
    this.#options.hooks?.worked?.({ key, ...ended, seconds });
    this.#pump();
  }
}
