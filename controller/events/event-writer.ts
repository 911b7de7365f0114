/** Brings events to the API server, one after another, in its own time; nobody waits for it and nobody hears of its failures but the counters. */
import { ApiFault, type Api } from "../api.js";
import type { Clock } from "../clock.js";
import { manager } from "../names.js";
import { resources } from "../resources.js";
import { changing, eventObject, type EventState, type Reporter } from "./occurrence.js";

export type EventApi = Pick<Api, "create" | "patch">;

/** Why an event was not told: too much of one object, too many waiting, or refused by the server. */
export type DropReason = "spam" | "full" | "failed";

export interface EventWriterOptions {
  readonly api: EventApi;
  readonly clock: Clock;
  readonly reporter: Reporter;
  /** Events that may wait; one more is dropped. */
  readonly room: number;
  onWritten?(): void;
  /** `problem`: what the API server said, with "failed". */
  onDropped?(reason: DropReason, problem?: unknown): void;
}

interface Waiting {
  state: EventState;
  /** On the server already, as far as we know. */
  readonly known: boolean;
}

/** Tries of one event beyond those the Api makes by itself, and the pause before each, in ms. */
const PAUSES_MS = [1_000, 5_000];

export class EventWriter {
  readonly #options: EventWriterOptions;
  /** By namespace/name: what is said again before it was written is written once. */
  readonly #waiting = new Map<string, Waiting>();
  #busy: Promise<void> | undefined;

  constructor(options: EventWriterOptions) {
    this.#options = options;
  }

  /** Never throws, never waits. */
  put(state: EventState, known: boolean): void {
    const key = `${state.namespace}/${state.name}`;
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) waiting.state = state;
    else if (this.#waiting.size >= this.#options.room) {
      this.#options.onDropped?.("full");
      return;
    } else this.#waiting.set(key, { state, known });
    this.#busy ??= this.#work();
  }

  /** Resolves when nothing waits, or after `ms`. */
  async flush(ms: number): Promise<void> {
    if (this.#busy === undefined) return;
    let cancel: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(ms, resolve);
    });
    await Promise.race([this.#busy, late]);
    cancel();
  }

  async #work(): Promise<void> {
    for (let next = this.#next(); next !== undefined; next = this.#next()) await this.#bring(next);
    this.#busy = undefined;
  }

  #next(): Waiting | undefined {
    for (const [key, waiting] of this.#waiting) {
      this.#waiting.delete(key);
      return waiting;
    }
    return undefined;
  }

  async #bring(waiting: Waiting): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.#write(waiting);
        this.#options.onWritten?.();
        return;
      } catch (problem) {
        const pause = mayPass(problem) ? PAUSES_MS[attempt] : undefined;
        if (pause === undefined) {
          this.#options.onDropped?.("failed", problem);
          return;
        }
        await this.#pause(pause);
      }
    }
  }

  /** An event lives an hour on the server, and a create may have arrived though its answer did not: each leads to the other. */
  async #write({ state, known }: Waiting): Promise<void> {
    try {
      await (known ? this.#patch(state) : this.#create(state));
    } catch (problem) {
      if (known && isStatus(problem, 404)) await this.#create(state);
      else if (!known && isStatus(problem, 409)) await this.#patch(state);
      else throw problem;
    }
  }

  #create(state: EventState): Promise<unknown> {
    return this.#options.api.create(resources.event, eventObject(state, this.#options.reporter), manager);
  }

  #patch(state: EventState): Promise<unknown> {
    return this.#options.api.patch(resources.event, `${state.namespace}/${state.name}`, {
      type: "application/merge-patch+json",
      manager,
      body: changing(state),
    });
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.clock.after(ms, resolve);
    });
  }
}

function isStatus(problem: unknown, status: number): boolean {
  return problem instanceof ApiFault && problem.status === status;
}

/** No answer, too many requests, or a server in trouble; a refusal stays one. */
function mayPass(problem: unknown): boolean {
  return (
    problem instanceof ApiFault && (problem.status === 0 || problem.status === 429 || problem.status >= 500)
  );
}
