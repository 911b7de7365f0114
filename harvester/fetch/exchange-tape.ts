/**
 * A recording of what was asked and answered below the retries, so that a run can be repeated without the network
 * (docs/dry-run.md describes the format). Gzip of lines of JSON: a head, lines of sources, the end. Types and names only.
 */
import type { FaultKind } from "../fault.js";
import type { Cursor, CursorKey, StoredState, Warning } from "../record.js";

export const tapeVersion = 1;
export const tapeFormat = "harvest-exchange";

/** All lines together, unpacked: what is recorded, and what is read back. */
export const mostTapeBytes = 256 * 1024 * 1024;

export type TapeLine = TapeHead | TapeSource | TapeExchange | TapeKnown | TapeCursor | TapeEnd;

export interface TapeHead {
  readonly kind: "tape";
  readonly format: typeof tapeFormat;
  readonly version: number;
  /** Product and version that recorded it. */
  readonly by: string;
  /** ISO 8601, to the millisecond. */
  readonly recordedAt: string;
  /** Of the dice (jitter of the back-off). */
  readonly seed: number;
  /** Records a source was stopped at; absent: none. */
  readonly limit?: number;
  readonly maxRequests?: number;
}

/** The first line of a source. */
export interface TapeSource {
  readonly kind: "source";
  readonly source: string;
  /** Address that was asked, without secrets. */
  readonly endpoint: string;
  /** sandbox: the manifest's address was replaced by that of a sandbox. */
  readonly target: "sandbox" | "live";
  /** When its run began: ISO 8601, to the millisecond. */
  readonly startedAt: string;
}

/** One request and what came of it, in the order of the requests of its source. */
export interface TapeExchange {
  readonly kind: "exchange";
  readonly source: string;
  /** When the head of the answer was there, in ms after `startedAt`. */
  readonly at: number;
  readonly request: TapeRequest;
  /** Absent: nothing answered. */
  readonly response?: TapeResponse;
  /** Why there is no answer, or why its body broke off. */
  readonly fault?: TapeFault;
}

export interface TapeRequest {
  readonly method: "GET" | "POST";
  /** Without secrets. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface TapeResponse {
  readonly status: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly warnings: readonly Warning[];
  /** Decoded bytes as they were read, in base64. */
  readonly body: string;
  /** Lengths of the pieces they came in. */
  readonly pieces: readonly number[];
  /** The reader left before the end. */
  readonly left?: true;
}

export interface TapeFault {
  readonly fault: FaultKind;
  readonly code: string;
  readonly sentence: string;
  readonly remedy?: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** What a store beside the run said of these identifiers. Checksums in hex. */
export interface TapeKnown {
  readonly kind: "known";
  readonly source: string;
  readonly states: Readonly<Record<string, TapeState>>;
}

export type TapeState = Omit<StoredState, "checksum" | "rawChecksum" | "quarantined"> & {
  readonly checksum?: string;
  readonly rawChecksum?: string;
  readonly quarantined?: { readonly rawChecksum: string; readonly policyDigest: string };
};

/** Where a store beside the run stood in this list. */
export interface TapeCursor {
  readonly kind: "cursor";
  readonly source: string;
  readonly key: Omit<CursorKey, "endpoint">;
  readonly cursor: Pick<Cursor, "watermark" | "sweptAt">;
}

/** The last line: without it the recording was cut. */
export interface TapeEnd {
  readonly kind: "end";
  /** Lines before this one. */
  readonly lines: number;
  /** SHA-256 in hex over those lines, each with its line end. */
  readonly sha256: string;
}
