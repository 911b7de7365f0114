import { Fault } from "./fault.js";

export interface StopSignal {
  readonly signal: AbortSignal;
  /** Removes the handlers and the timer. */
  end(): void;
}

const signals = ["SIGINT", "SIGTERM"] as const;

/** Aborts on SIGINT, SIGTERM, or when the run has taken as long as it may; the batch under way is still finished. */
export function stopSignal(maxRunSeconds: number): StopSignal {
  const controller = new AbortController();
  function handler(name: NodeJS.Signals): void {
    const sentence = `The run was stopped by ${name} at a batch boundary.`;
    controller.abort(stopped("Interrupted", sentence, "Run again: it goes on where it stopped."));
  }
  for (const name of signals) process.on(name, handler);
  const timer = setTimeout(() => {
    const sentence = `The run took longer than limits.maxRunSeconds (${maxRunSeconds.toString()} s) and stopped at a batch boundary.`;
    controller.abort(
      stopped(
        "RunTimeExceeded",
        sentence,
        "The next run goes on where it stopped; raise limits.maxRunSeconds if it never catches up.",
      ),
    );
  }, maxRunSeconds * 1000);
  timer.unref();
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      for (const name of signals) process.off(name, handler);
    },
  };
}

function stopped(code: string, sentence: string, remedy: string): Fault {
  return new Fault("interrupted", { code, sentence, remedy });
}
