import pino from "pino";
import type { RunEvent } from "./events.js";

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface LogOptions {
  readonly level: LogLevel;
  readonly runId: string;
  readonly source: string;
  /** File descriptor the lines go to; standard error unless told otherwise, so that standard output stays data. */
  readonly fd?: number;
}

const levels: Readonly<Record<RunEvent["kind"], LogLevel>> = {
  identified: "info",
  window: "info",
  request: "debug",
  bytes: "debug",
  wait: "info",
  restart: "warn",
  page: "debug",
  committed: "info",
  watermark: "info",
  sweep: "info",
  incomplete: "warn",
  warning: "warn",
  fault: "error",
};

/** Writes each event as one JSON line carrying the run id and the source: what a log search needs to follow a run. */
export function eventLog(options: LogOptions): (event: RunEvent) => void {
  const logger = pino(
    {
      level: options.level,
      // The word, as in the last line of a pod.
      formatters: { level: (level) => ({ level }) },
      base: { runId: options.runId, source: options.source },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ dest: options.fd ?? 2, sync: true }),
  );
  return (event) => {
    // Bytes arrive per chunk: a line each would drown the log and say nothing the page line does not.
    if (event.kind === "bytes") return;
    const { kind, ...facts } = event;
    logger[levels[kind]]({ event: kind, ...facts });
  };
}
