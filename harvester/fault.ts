/**
 * Kinds of failure, and what each leads to: one table.
 *
 * A Fault is thrown for what stops a request or a run. What is wrong with one record is a Violation, never a Fault.
 */

export type FaultKind =
  | "transient"
  | "throttled"
  | "denied"
  | "gone"
  | "protocol"
  | "token-expired"
  | "list-loop"
  | "config"
  | "unavailable"
  | "refused"
  | "store"
  | "busy"
  | "interrupted"
  | "bug";

interface Handling {
  /** May the same request be sent again in this run? */
  readonly retry: boolean;
  /** Exit code of a run that ends with it (sysexits; docs/exit-codes.md). */
  readonly exitCode: number;
  /** Does it count towards opening the endpoint's breaker? */
  readonly countsAgainstEndpoint: boolean;
}

export const faultTable: Readonly<Record<FaultKind, Handling>> = {
  /** Timeouts, resets, 5xx, truncated bodies. */
  transient: { retry: true, exitCode: 75, countsAgainstEndpoint: true },
  /** 429 and 503: the agency asked for quiet. */
  throttled: { retry: true, exitCode: 75, countsAgainstEndpoint: false },
  /** 401, 403, client certificate refused: a human must act. */
  denied: { retry: false, exitCode: 77, countsAgainstEndpoint: true },
  /** 404, 410: nothing to retry in this run (case C87). */
  gone: { retry: false, exitCode: 69, countsAgainstEndpoint: true },
  /** The answer is not what the protocol allows. */
  protocol: { retry: false, exitCode: 65, countsAgainstEndpoint: true },
  /** badResumptionToken: discard the token, ask the window anew (case C11). */
  "token-expired": { retry: false, exitCode: 75, countsAgainstEndpoint: false },
  /** The list repeats itself (cases C04, C06). */
  "list-loop": { retry: false, exitCode: 65, countsAgainstEndpoint: false },
  /** Manifest, policy files, address not allowed, certificate unreadable. */
  config: { retry: false, exitCode: 78, countsAgainstEndpoint: false },
  /** Unknown host, refused, not TLS, untrusted certificate, breaker open, resting. */
  unavailable: { retry: false, exitCode: 69, countsAgainstEndpoint: true },
  /** A guard said no: removal guard, `onFailure: fail`. */
  refused: { retry: false, exitCode: 65, countsAgainstEndpoint: false },
  /** The database is down, full, or lost. */
  store: { retry: false, exitCode: 74, countsAgainstEndpoint: false },
  /** Another process holds the source or the store. */
  busy: { retry: false, exitCode: 75, countsAgainstEndpoint: false },
  /** SIGINT, SIGTERM, maxRunSeconds: stopped at a batch boundary. */
  interrupted: { retry: false, exitCode: 75, countsAgainstEndpoint: false },
  /** Ours. */
  bug: { retry: false, exitCode: 70, countsAgainstEndpoint: false },
};

export interface FaultDetail {
  /** Reason code, stable, CamelCase: `NotOai`, `ClientCertRejected`, `DeletionGuard`. */
  readonly code: string;
  /** What failed, where and why, in one sentence, without secrets. */
  readonly sentence: string;
  /** What the reader can do next. */
  readonly remedy?: string;
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** The quiet the agency asked for, in full. */
  readonly retryAfterMs?: number;
  /** First bytes of an unexpected body, at most 2 KiB, cleaned of control characters. */
  readonly excerpt?: string;
  readonly cause?: unknown;
}

export class Fault extends Error {
  readonly kind: FaultKind;
  readonly detail: FaultDetail;

  constructor(kind: FaultKind, detail: FaultDetail) {
    super(detail.sentence, { cause: detail.cause });
    this.name = "Fault";
    this.kind = kind;
    this.detail = detail;
  }

  get code(): string {
    return this.detail.code;
  }
}

/** Anything thrown, as a Fault: what is not one yet is our bug, and says so. */
export function asFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new Fault("bug", {
    code: "Unexpected",
    sentence: `Unexpected failure: ${text}`,
    remedy: "This is a fault of the harvester: please report it with the output of --log-level debug.",
    cause: thrown,
  });
}
