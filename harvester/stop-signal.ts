import { Fault } from "./fault.js";

export interface StopSignal {
  readonly signal: AbortSignal;
  /** Removes the handlers and the timer. */
  end(): void;
}

/** Aborts on SIGINT, SIGTERM, or when the run has taken as long as it may; the batch under way is still finished. */
export function stopSignal(maxRunSeconds: number): StopSignal {
  const controller = new AbortController();
  const handlers = (["SIGINT", "SIGTERM"] as const).map((name) => {
    const handler = (): void => {
      controller.abort(
        stopped(
          "Interrupted",
          `The run was stopped by ${name} at a batch boundary.`,
          "Run again: it goes on where it stopped.",
        ),
      );
    };
    process.on(name, handler);
    return () => process.off(name, handler);
  });
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
      for (const off of handlers) off();
    },
  };
}

function stopped(code: string, sentence: string, remedy: string): Fault {
  return new Fault("interrupted", { code, sentence, remedy });
}
