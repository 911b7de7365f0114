/** The controller's log: one JSON object a line on standard output, without secrets. The only door to pino here. */
import pino from "pino";
import { ApiFault } from "./api.js";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Facts of a line; an Error among them is told with its kind, its cause and where it came from. */
export type Facts = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, facts?: Facts): void;
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  error(message: string, facts?: Facts): void;
  /** A log whose lines all carry these facts, e.g. `{ source: key }`. */
  child(facts: Facts): Log;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Where the lines go; standard output unless told otherwise. */
  readonly write?: (line: string) => void;
}

export function createLog({ level, write }: LogOptions): Log {
  const destination = write === undefined ? pino.destination({ dest: 1, sync: true }) : { write };
  const options = {
    level,
    base: null,
    messageKey: "message",
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return logOf(pino(options, destination));
}

function logOf(logger: pino.Logger): Log {
  function at(level: LogLevel): (message: string, facts?: Facts) => void {
    return (message, facts = {}) => {
      if (logger.isLevelEnabled(level)) logger[level](clean(facts, 0), cleanText(message));
    };
  }
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (facts) => logOf(logger.child(clean(facts, 0) as object)),
  };
}

const MAX_DEPTH = 6;
const MAX_TEXT = 8_192;
const MAX_ITEMS = 200;
const HIDDEN = "[hidden]";

/** Names of fields that hold secrets, whatever is in them. */
const SECRET_NAME =
  /token(?!s?(count|Seconds))|password|passwd|secret(?!Name)|authorization|cookie|private.?key|client.?key|database.?url|\.key$/i;

/** Secrets inside of texts: user and password of a URL, bearer tokens, PEM keys. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${HIDDEN}@`],
  [/\b(bearer\s+[\w.~+/=-]{8,}|basic\s+[A-Za-z0-9+/=]{16,})/gi, HIDDEN],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, HIDDEN],
  [/\b(password|passwd|token|secret)=[^\s&"']+/gi, `$1=${HIDDEN}`],
];

function cleanText(text: string): string {
  const bounded = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return SECRET_TEXTS.reduce((done, [pattern, instead]) => done.replace(pattern, instead), bounded);
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (depth > MAX_DEPTH) return "[deeper]";
  if (value instanceof Error) return cleanError(value, depth);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => clean(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .map(([name, inner]) => [name, SECRET_NAME.test(name) ? HIDDEN : clean(inner, depth + 1)]),
  );
}

/** A refusal of the API server explains itself; for anything else the place in the code is needed. */
function cleanError(error: Error, depth: number): unknown {
  const { name, message, stack, cause } = error;
  const code = (error as NodeJS.ErrnoException).code;
  const api = error instanceof ApiFault ? { status: error.status, reason: error.reason } : { stack };
  return clean({ name, message, code, ...api, cause: cause instanceof Error ? cause : undefined }, depth + 1);
}
