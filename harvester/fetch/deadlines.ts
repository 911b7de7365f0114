/**
 * The clocks of one request: connection with first byte, silence between bytes, total, and a floor under the speed
 * (case C82). Only waiting for the source counts; time the reader takes for itself does not.
 */
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import { Fault } from "../fault.js";

export interface DeadlineOptions {
  readonly timeouts: HarvestSourceSpec["transport"]["timeouts"];
  /** Bytes a second below which an answer counts as stalled, measured over `idleSeconds` of waiting. */
  readonly minBytesPerSecond: number;
  /** Redacted address, for sentences. */
  readonly where: string;
  /** The caller's own stop. */
  readonly signal?: AbortSignal | undefined;
}

export class Deadlines {
  readonly #options: DeadlineOptions;
  readonly #controller = new AbortController();
  #waitedMs = 0;
  #window = { ms: 0, bytes: 0 };
  #abandoned: NodeJS.Timeout | undefined;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    if (options.signal?.aborted === true) this.#onStop();
    else options.signal?.addEventListener("abort", this.#onStop, { once: true });
  }

  /** Aborts with the Fault as its reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits for the head of an answer: connection and first byte together. */
  head<T>(work: Promise<T>): Promise<T> {
    const { timeouts, where } = this.#options;
    const seconds = timeouts.connectSeconds + timeouts.firstByteSeconds;
    return this.#wait(work, seconds, () => noAnswer(where, seconds));
  }

  /** Waits for the next bytes of a body. */
  async bytes<T>(work: Promise<T>, size: (got: T) => number): Promise<T> {
    const { timeouts, where } = this.#options;
    const got = await this.#wait(work, timeouts.idleSeconds, () => silent(where, timeouts.idleSeconds));
    this.#measure(size(got));
    this.#abandoned = setTimeout(() => {
      this.stop(forgotten(where));
    }, timeouts.requestSeconds * 1000).unref();
    return got;
  }

  stop(reason: Fault): void {
    this.#controller.abort(reason);
  }

  /** The request is over: no timer is left behind. */
  finish(): void {
    clearTimeout(this.#abandoned);
    this.#options.signal?.removeEventListener("abort", this.#onStop);
  }

  async #wait<T>(work: Promise<T>, seconds: number, late: () => Fault): Promise<T> {
    clearTimeout(this.#abandoned);
    const { timeouts, where } = this.#options;
    const leftMs = timeouts.requestSeconds * 1000 - this.#waitedMs;
    const began = performance.now();
    const timer = setTimeout(
      () => {
        this.stop(leftMs < seconds * 1000 ? tooLong(where, timeouts.requestSeconds) : late());
      },
      Math.min(seconds * 1000, leftMs),
    );
    try {
      return await orAborted(work, this.signal);
    } finally {
      clearTimeout(timer);
      this.#waitedMs += performance.now() - began;
      this.#window.ms += performance.now() - began;
    }
  }

  /** Over each `idleSeconds` of waiting the floor under the speed must hold. */
  #measure(bytes: number): void {
    const { timeouts, minBytesPerSecond, where } = this.#options;
    this.#window.bytes += bytes;
    if (this.#window.ms < timeouts.idleSeconds * 1000) return;
    const window = this.#window;
    this.#window = { ms: 0, bytes: 0 };
    if (window.bytes < (minBytesPerSecond * window.ms) / 1000) throw tooSlow(where, window);
  }

  readonly #onStop = (): void => {
    this.stop(interrupted(this.#options.signal?.reason, this.#options.where));
  };
}

/** The work's result, or the reason of the abort at once, however long the work itself takes to notice. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    function onAbort(): void {
      reject(signal.reason as Error);
    }
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", onAbort);
    });
  });
}

function interrupted(reason: unknown, where: string): Fault {
  if (reason instanceof Fault) return reason;
  return new Fault("interrupted", {
    code: "Interrupted",
    sentence: `The request to ${where} was stopped.`,
    cause: reason,
  });
}

function noAnswer(where: string, seconds: number): Fault {
  return new Fault("transient", {
    code: "FirstByteTimeout",
    sentence: `${where} did not answer within ${String(seconds)} s.`,
    remedy: "If this source needs longer for a page, raise spec.transport.timeouts.firstByteSeconds.",
  });
}

function silent(where: string, seconds: number): Fault {
  return new Fault("transient", {
    code: "IdleTimeout",
    sentence: `${where} sent nothing for ${String(seconds)} s in the middle of its answer.`,
    remedy: "If this source pauses longer between bytes, raise spec.transport.timeouts.idleSeconds.",
  });
}

function tooSlow(where: string, window: { readonly ms: number; readonly bytes: number }): Fault {
  return new Fault("transient", {
    code: "TooSlow",
    sentence: `${where} sent only ${String(window.bytes)} bytes in ${String(Math.round(window.ms / 1000))} s: the answer is as good as stalled.`,
    remedy: "Ask the operator of the repository, or harvest at another hour.",
  });
}

function tooLong(where: string, seconds: number): Fault {
  return new Fault("transient", {
    code: "RequestTimeout",
    sentence: `${where} had not finished its answer after ${String(seconds)} s.`,
    remedy: "If pages of this source really take longer, raise spec.transport.timeouts.requestSeconds.",
  });
}

function forgotten(where: string): Fault {
  return new Fault("transient", {
    code: "BodyAbandoned",
    sentence: `The answer of ${where} was opened but not read.`,
  });
}
