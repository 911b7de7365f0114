/** What the lists of a window's parts add up to (bisect.ts). */
import type { Instant, Warning } from "../record.js";
import type { ListEnd } from "./page-events.js";
import { present } from "./present.js";

export class WindowSum {
  windowTime: Instant | undefined;
  #received = 0;
  #unnamed = 0;
  #complete = true;
  readonly #warnings = new Map<string, Warning>();
  /** Asked for one by one already: halves share their edge, and a poisoned record there is one record. */
  readonly singles = new Set<string>();

  constructor(windowTime: Instant | undefined) {
    this.windowTime = windowTime;
  }

  warn(warning: Warning): void {
    this.#warnings.set(warning.code, warning);
  }

  get received(): number {
    return this.#received;
  }

  addItem(): void {
    this.#received++;
  }

  add(end: ListEnd): void {
    this.#received += end.received;
    this.#unnamed += end.unnamed;
    this.#complete &&= end.complete;
    this.windowTime ??= end.windowTime;
    end.warnings.forEach((warning) => {
      this.warn(warning);
    });
  }

  end(): ListEnd {
    const [received, unnamed, complete, windowTime] = [
      this.#received,
      this.#unnamed,
      this.#complete,
      this.windowTime,
    ];
    const warnings = [...this.#warnings.values()];
    return present<ListEnd>({
      kind: "end",
      complete,
      nothing: received === 0,
      received,
      unnamed,
      windowTime,
      warnings,
    });
  }
}
