import { setMaxListeners } from "node:events";

/** The signal of one attempt: ends when the caller, the program or its own time ends it. */
export interface AttemptSignal {
  readonly signal: AbortSignal;
  /** Its own time was over first. */
  expired(): boolean;
  /** Takes its listener off the outer signals, which live much longer. */
  release(): void;
}

/** `timeoutMs` absent = no time of its own. */
export function attemptSignal(
  outer: readonly (AbortSignal | undefined)[],
  timeoutMs?: number,
): AttemptSignal {
  const controller = new AbortController();
  const signals = outer.filter((signal) => signal !== undefined);
  let late = false;
  function stop(): void {
    controller.abort();
  }
  for (const signal of signals) {
    // One signal ends a whole program: more than ten requests listening to it are no leak.
    setMaxListeners(0, signal);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  }
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          late = true;
          stop();
        }, timeoutMs);
  return {
    signal: controller.signal,
    expired: () => late,
    release() {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", stop);
    },
  };
}
