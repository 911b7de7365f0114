/** Keys to be added later: at most one date a key, and the earliest wins. */
import type { Clock } from "../clock.js";
import type { Key } from "../object.js";

export class Delays {
  readonly #clock: Clock;
  readonly #due: (key: Key) => void;
  readonly #dates = new Map<Key, { readonly at: number; readonly cancel: () => void }>();

  constructor(clock: Clock, due: (key: Key) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  add(key: Key, ms: number): void {
    const at = this.#clock.elapsed() + ms;
    const before = this.#dates.get(key);
    if (before !== undefined && before.at <= at) return;
    before?.cancel();
    const cancel = this.#clock.after(ms, () => {
      this.#dates.delete(key);
      this.#due(key);
    });
    this.#dates.set(key, { at, cancel });
  }

  get size(): number {
    return this.#dates.size;
  }

  clear(): void {
    for (const { cancel } of this.#dates.values()) cancel();
    this.#dates.clear();
  }
}
