/** When the server was heard and how long it has been well: what the decision about a restart rests on. */
import type { Clock } from "../clock.js";
import { decideNext, type Ended, type Next } from "./watch-loop-decision.js";

export class ReflectorHealth {
  readonly #clock: Clock;
  #failures = 0;
  #lastEnd: Ended | undefined;
  #acceptedAt: number | undefined;
  /** First acceptance since the last failure. */
  #healthySince: number | undefined;
  #heardAt: number | undefined;
  #activeAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#activeAt = clock.elapsed();
  }

  /** A list or watch is about to be asked for. */
  begin(): void {
    this.#acceptedAt = undefined;
    this.#activeAt = this.#clock.elapsed();
  }

  /** The server has accepted a watch. */
  accepted(): void {
    this.#acceptedAt = this.#clock.elapsed();
    this.#healthySince ??= this.#acceptedAt;
    this.heard();
  }

  heard(): void {
    this.#heardAt = this.#activeAt = this.#clock.elapsed();
  }

  end(ended: Ended, random: number): Next {
    const now = this.#clock.elapsed();
    const next = decideNext(ended, {
      failures: this.#failures,
      elapsedMs: this.#acceptedAt === undefined ? 0 : now - this.#acceptedAt,
      healthyMs: this.#healthyMs(),
      random,
    });
    if (next.reason !== "closed" && next.reason !== "relist-due") this.#healthySince = undefined;
    this.#activeAt = now;
    this.#lastEnd = ended;
    this.#failures = next.failures;
    return next;
  }

  lastActivity(): Date {
    return this.#date(this.#activeAt);
  }

  read(): {
    readonly failures: number;
    readonly idleMs: number;
    readonly lastEnd?: Ended;
    readonly lastHeard?: Date;
  } {
    return {
      failures: this.#failures,
      idleMs: this.#clock.elapsed() - this.#activeAt,
      ...(this.#lastEnd === undefined ? {} : { lastEnd: this.#lastEnd }),
      ...(this.#heardAt === undefined ? {} : { lastHeard: this.#date(this.#heardAt) }),
    };
  }

  #healthyMs(): number {
    if (this.#healthySince === undefined || this.#heardAt === undefined) return 0;
    return Math.max(0, this.#heardAt - this.#healthySince);
  }

  #date(elapsed: number): Date {
    return new Date(this.#clock.now() - (this.#clock.elapsed() - elapsed));
  }
}
