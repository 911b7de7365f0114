/** The wire as the loop over pages sees it: it sends, and it decides what is tried again and after which wait. */
import type { HttpRequest, HttpResponse } from "../http.js";

export interface Wire {
  /** Sends one request. Throws a Fault when there is no answer to read. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Runs the operation until it succeeds or may not be tried again, waiting in between; throws the last Fault then.
   * The operation gets the number of the try, from 1.
   */
  attempt<T>(operation: (attempt: number) => Promise<T>): Promise<T>;
}

/** One question and its answer. */
export function exchange<Answer>(
  wire: Wire,
  request: HttpRequest,
  read: (response: HttpResponse) => Promise<Answer>,
): Promise<Answer> {
  return wire.attempt(async () => read(await wire.send(request)));
}

/** One try, to be ended by its owner with `succeeded` or `failed`. */
interface Turn {
  readonly succeeded: () => void;
  readonly failed: (thrown: unknown) => void;
}

/**
 * `attempt` for what cannot be one promise, because it hands on items while it runs: each `next` is a try. It rejects
 * when `attempt` gives up.
 */
export class Turns {
  readonly #whole: Promise<void>;
  #waiting: ((turn: Turn) => void) | undefined;
  #current: Turn | undefined;

  constructor(wire: Wire) {
    this.#whole = wire.attempt(
      () =>
        new Promise<void>((resolve, reject) => {
          this.#begin({ succeeded: resolve, failed: reject });
        }),
    );
    // Whoever waits in `next` is told; nobody waits when the consumer has gone away.
    this.#whole.catch(() => undefined);
  }

  #begin(turn: Turn): void {
    this.#current = turn;
    this.#waiting?.(turn);
    this.#waiting = undefined;
  }

  /** Resolves when the next try may begin. */
  async next(): Promise<void> {
    if (this.#current !== undefined) return;
    const begun = new Promise<void>((resolve) => {
      this.#waiting = () => {
        resolve();
      };
    });
    await Promise.race([begun, this.#whole]);
  }

  failed(thrown: unknown): void {
    const turn = this.#current;
    this.#current = undefined;
    turn?.failed(thrown);
  }

  /** Ends the attempt; harmless when it has ended. */
  done(): void {
    this.#current?.succeeded();
    this.#current = undefined;
  }
}
