/** What a reflector does after a list or a watch has ended. Pure: its test is a table. */
import { backoffMs } from "./backoff.js";

/** How a list or a watch came to its end. */
export interface Ended {
  readonly what: "list" | "watch";
  /**
   * closed: the server ended the stream in order. failed: an answer that is no success, an ERROR event, or no connection.
   * silent: no bytes for longer than the limit. confused: a line or object that cannot be read. stale: a list older than what was
   * seen before. relist-due: nothing ended, it is time for the periodic list.
   */
  readonly how: "closed" | "failed" | "silent" | "confused" | "stale" | "relist-due";
  /** Of `failed`: the HTTP status or the code of the ERROR event; 0 = no connection, or a stream that was cut. */
  readonly status?: number;
  /** The server's or the network's word for it. For people; nothing is decided by it. */
  readonly detail?: string;
  readonly retryAfterSeconds?: number;
}

export interface Health {
  /** Failures in a row before this end. */
  readonly failures: number;
  /** How long the watch was open, from the server's acceptance; 0 for a list. */
  readonly elapsedMs: number;
  /** From the first acceptance after the last failure to the last sign of life. */
  readonly healthyMs: number;
  /** From 0 to below 1. */
  readonly random: number;
}

/** A fixed vocabulary, so that it can be the label of a metric. */
export type RestartReason =
  | "closed"
  | "closed-early"
  | "confused"
  | "denied"
  | "expired"
  | "not-found"
  | "refused"
  | "relist-due"
  | "server-error"
  | "silent"
  | "stale-list"
  | "throttled"
  | "unreachable";

export interface Next {
  /** resume: watch from the last resource version. relist: read everything first. */
  readonly kind: "resume" | "relist";
  readonly afterMs: number;
  readonly reason: RestartReason;
  /** Failures in a row, this one included. */
  readonly failures: number;
}

/** A watch shorter than this did nothing but cost a request. */
const SHORT_WATCH_MS = 1_000;
/** After this long in health an earlier failure is history. */
const HEALTHY_MS = 120_000;
/** A watch the server cannot serve for so many times: perhaps it is our resource version (a restored etcd knows only older ones). */
const RESUMES_BEFORE_RELIST = 5;
/** Retry-After is honoured up to here; what the server says is bounded like everything from outside. */
const RETRY_AFTER_CAP_MS = 300_000;

export function decideNext(ended: Ended, health: Health): Next {
  const before = health.healthyMs >= HEALTHY_MS ? 0 : health.failures;
  const reason = reasonOf(ended, health);
  if (reason === "closed") return { kind: "resume", afterMs: 0, reason, failures: before };
  if (reason === "relist-due") return { kind: "relist", afterMs: 0, reason, failures: before };
  const failures = before + 1;
  const kind = ended.what === "list" ? "relist" : kindAfterWatch(reason, failures);
  return { kind, afterMs: waitMs(ended, { failures, random: health.random, reason }), reason, failures };
}

function reasonOf(ended: Ended, health: Health): RestartReason {
  switch (ended.how) {
    case "closed":
      return health.elapsedMs < SHORT_WATCH_MS ? "closed-early" : "closed";
    case "failed":
      return reasonOfStatus(ended.status ?? 0);
    case "stale":
      return "stale-list";
    case "silent":
    case "confused":
    case "relist-due":
      return ended.how;
  }
}

function reasonOfStatus(status: number): RestartReason {
  const exact: Readonly<Record<number, RestartReason>> = {
    0: "unreachable",
    401: "denied",
    403: "denied",
    404: "not-found",
    408: "server-error",
    410: "expired",
    429: "throttled",
  };
  return exact[status] ?? (status >= 400 && status < 500 ? "refused" : "server-error");
}

/** The place in the stream is lost, or something may have been missed. */
const listAgain: ReadonlySet<RestartReason> = new Set(["expired", "refused", "not-found", "confused"]);

function kindAfterWatch(reason: RestartReason, failures: number): Next["kind"] {
  if (listAgain.has(reason)) return "relist";
  return reason === "server-error" && failures % RESUMES_BEFORE_RELIST === 0 ? "relist" : "resume";
}

function waitMs(
  ended: Ended,
  { failures, random, reason }: { failures: number; random: number; reason: RestartReason },
): number {
  const asked = Math.min((ended.retryAfterSeconds ?? 0) * 1_000, RETRY_AFTER_CAP_MS);
  // The first 410 after health is the normal way to learn that the history was compacted.
  const own =
    reason === "expired" && ended.what === "watch" && failures === 1 ? 0 : backoffMs(failures, random);
  return Math.max(own, asked);
}
