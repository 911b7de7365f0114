/**
 * What a run needs of a store. Three implementations: PostgreSQL and PGlite over one SQL text, and memory for dry-run.
 * The order "records before watermark" lives behind `commit` and cannot be got wrong by a caller (law 1).
 */
import type { CanonicalRecord } from "../canonical.js";
import type { Cursor, CursorKey, Instant, Outcome, StoredState, Violation } from "../record.js";

export interface RunStart {
  readonly runId: string;
  readonly source: string;
  readonly endpoint: string;
  readonly prefix: string;
  readonly policyDigest: string;
  /** Who runs: host/pid/start time, or the pod's uid. */
  readonly holder: string;
  /** The resolved manifest, for the run row. */
  readonly manifest: unknown;
  readonly startedAt: Instant;
  /** Sets the manifest asks for ([""] = the whole repository): memberships in others no longer keep a record alive. */
  readonly sets?: readonly string[];
}

export interface RecordChange {
  readonly action: "insert" | "update";
  readonly identifier: string;
  readonly checksum: Uint8Array;
  readonly rawChecksum: Uint8Array;
  readonly sequence?: number;
  readonly datestamp?: Instant;
  readonly set: string;
  /** gzip of the untouched payload. */
  readonly packed: Uint8Array;
  readonly canonical: CanonicalRecord;
  readonly about: readonly string[];
  readonly remarks: readonly Violation[];
}

/** A record whose content is known but which must still be noted: seen in another set, or its bytes changed form. */
export interface Touch {
  readonly identifier: string;
  readonly set: string;
  readonly datestamp?: Instant;
  readonly rawChecksum?: Uint8Array;
}

export interface Withdrawal {
  readonly identifier: string;
  readonly set: string;
  readonly datestamp?: Instant;
  readonly reason: "tombstone" | "missing-from-snapshot" | "source-removed";
}

export interface Refusal {
  /** Identifier, or `unnamed:<sha256 prefix>` where the damage left none. */
  readonly identifier: string;
  readonly set: string;
  /** At least one of severity error, which comes first. */
  readonly violations: readonly Violation[];
  /** gzip of the bytes as received. */
  readonly packed: Uint8Array;
  readonly rawChecksum: Uint8Array;
  readonly header?: { readonly datestamp?: Instant; readonly sets: readonly string[] };
}

export interface Batch {
  readonly key: CursorKey;
  readonly changes: readonly RecordChange[];
  readonly touches: readonly Touch[];
  readonly withdrawals: readonly Withdrawal[];
  readonly refusals: readonly Refusal[];
  /** Identifiers delivered sound in this batch: an open quarantine entry of theirs is closed. */
  readonly healed: readonly string[];
  /** The cursor after this batch; absent in the middle of a page. The watermark only ever moves forward. */
  readonly cursor?: Cursor;
}

export interface CommitResult {
  readonly inserted: number;
  readonly updated: number;
  readonly withdrawn: number;
  readonly quarantined: number;
  /** Written by nobody because the stored row was newer (stale delivery). */
  readonly stale: number;
  readonly healed: number;
}

export interface SourceTotals {
  /** Alive in the catalogue. */
  readonly records: number;
  /** Open quarantine entries. */
  readonly quarantined: number;
}

export interface RunCounts {
  readonly requests: number;
  readonly bytes: number;
  readonly read: number;
  readonly inserted: number;
  readonly updated: number;
  readonly withdrawn: number;
  readonly unchanged: number;
  readonly quarantined: number;
}

export interface RunEnd {
  readonly outcome: Outcome;
  readonly exitCode: number;
  readonly code?: string;
  readonly message: string;
  readonly counts: RunCounts;
  readonly endedAt: Instant;
  /** The whole summary as shown to people and machines. */
  readonly summary: unknown;
}

/** What is remembered of an endpoint between runs and pods. */
export interface EndpointState {
  /** No request before this time: Retry-After, in full, or an open breaker. */
  readonly blockedUntil?: Instant;
  readonly blockedBecause?: string;
  readonly consecutiveFailures: number;
  readonly openedAt?: Instant;
}

export interface SweepResult {
  /** Identifiers stored alive in this set before the sweep. */
  readonly known: number;
  /** Stored alive but not in the source's list. */
  readonly missing: readonly string[];
  /** Identifiers staged: 0 means the source's list was empty. */
  readonly staged?: number;
  /** Known only from open quarantine entries and not in the source's list: withdrawing them closes the entries (case C52). */
  readonly missingQuarantined?: readonly string[];
}

/** A run's hold on its source. Every write checks that the hold is still ours (fencing): if not, Fault `busy`. */
export interface RunStore {
  /** Aborted, with a Fault `busy` as its reason, as soon as the hold is known to be lost. */
  readonly lost?: AbortSignal;
  loadCursor(key: CursorKey): Promise<Cursor>;
  loadStates(identifiers: readonly string[]): Promise<ReadonlyMap<string, StoredState>>;
  /** One transaction: records, quarantine, then the cursor. */
  commit(batch: Batch): Promise<CommitResult>;
  /** The sweep: ids are staged in chunks, then compared inside the store. */
  stageSweep(identifiers: readonly string[]): Promise<void>;
  /** Compares what was staged with what is stored alive in this set; `missing` holds at most `atMost` identifiers. */
  sweep(set: string, atMost: number): Promise<SweepResult & { readonly missingCount: number }>;
  dropSweep(): Promise<void>;
  countAlive(set?: string): Promise<number>;
  /** What the catalogue holds of the source now. */
  totals(): Promise<SourceTotals>;
  loadEndpoint(endpoint: string): Promise<EndpointState>;
  saveEndpoint(endpoint: string, state: EndpointState): Promise<void>;
  /** A slot of the host's ceiling, over all processes; resolves when one is free. */
  acquireSlot(host: string, slots: number, signal: AbortSignal): Promise<() => Promise<void>>;
  /** Reserves the next request of a rate-limited host; returns how long to wait, in ms. */
  reserve(host: string, requestsPerSecond: number): Promise<number>;
  finish(end: RunEnd): Promise<void>;
}

export interface Store {
  /** Takes the source for one run. Throws Fault `busy` when another run holds it. */
  begin(start: RunStart): Promise<RunStore>;
  close(): Promise<void>;
}
