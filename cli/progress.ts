import type { Observer } from "../harvester/report/events.js";
import { addEvent, emptyTally, type Tally } from "../harvester/report/tally.js";
import { progressLine } from "./format/progress-line.js";

export interface Progress {
  readonly observe: Observer;
  /** Wipes the line, so that what is printed next starts clean. */
  end(): void;
}

const REDRAW_MS = 120;

/** Draws a run's progress on a terminal, towards the end of the list or the limit a dry run was given; does nothing where standard error is not one. */
export function startProgress(limit = Infinity, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY || process.env["TERM"] === "dumb")
    return { observe: () => undefined, end: () => undefined };
  const started = Date.now();
  let tally: Tally = emptyTally;
  let wait: { until: number; reason: string } | undefined;
  const timer = setInterval(() => {
    const secondsLeft = wait === undefined ? 0 : (wait.until - Date.now()) / 1000;
    const waiting = wait !== undefined && secondsLeft > 0 ? { secondsLeft, reason: wait.reason } : undefined;
    const listSize = tally.listSize === undefined ? undefined : Math.min(tally.listSize, limit);
    const line = progressLine({
      tally: { ...tally, listSize },
      elapsedSeconds: (Date.now() - started) / 1000,
      waiting,
      width: stream.columns,
    });
    stream.write(`\r\u001b[K${line}`);
  }, REDRAW_MS);
  timer.unref();
  return {
    observe(event) {
      tally = addEvent(tally, event);
      if (event.kind === "wait")
        wait = { until: Date.now() + event.milliseconds, reason: event.reason.split(":")[0] ?? "" };
    },
    end() {
      clearInterval(timer);
      stream.write("\r\u001b[K");
    },
  };
}
