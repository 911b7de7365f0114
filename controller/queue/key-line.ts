/**
 * The keys that wait and those at work: a key waits at most once, is never at work twice, and one that is added while it is
 * at work waits until that work is done. Knows no time but what it is told, in ms.
 */
import type { Key } from "../object.js";

export class KeyLine {
  /** Due for work, with the time of the first add since they were last taken. A Map walks in the order of its adds. */
  readonly #ready = new Map<Key, number>();
  /** At work, with the time they were taken. */
  readonly #working = new Map<Key, number>();
  /** Added again while at work. */
  readonly #again = new Map<Key, number>();

  /** False when the key waits already. */
  add(key: Key, now: number): boolean {
    const line = this.#working.has(key) ? this.#again : this.#ready;
    if (line.has(key)) return false;
    line.set(key, now);
    return true;
  }

  /** The key that waits longest, now at work; undefined when none waits. */
  take(now: number): { readonly key: Key; readonly waitedMs: number } | undefined {
    for (const [key, since] of this.#ready) {
      this.#ready.delete(key);
      this.#working.set(key, now);
      return { key, waitedMs: now - since };
    }
    return undefined;
  }

  /** Ends the work on a key; if it was added meanwhile it goes to the end of the line. Answers how long the work took. */
  done(key: Key, now: number): number {
    const since = this.#working.get(key) ?? now;
    this.#working.delete(key);
    const again = this.#again.get(key);
    if (again !== undefined) this.#ready.set(key, again);
    this.#again.delete(key);
    return now - since;
  }

  /** Keys that wait for a worker. */
  get depth(): number {
    return this.#ready.size;
  }

  /** Keys at work, with the time they were taken. */
  get working(): ReadonlyMap<Key, number> {
    return this.#working;
  }
}
