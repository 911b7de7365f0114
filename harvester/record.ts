/** The nouns of a run: types only. Every stage speaks in them; none of them knows a stage. */
import type { CanonicalRecord } from "./canonical.js";

/** An instant of UTC as `YYYY-MM-DDThh:mm:ssZ`, whatever the source's granularity (OAI-PMH §3.3). */
export type Instant = string;

/** What one list request asks for: both ends inclusive (OAI-PMH §2.7.1); an absent end is open. */
export interface Window {
  readonly from?: Instant;
  readonly until?: Instant;
}

/** What a source says of itself, learnt once a run by `identify`. */
export interface Capabilities {
  readonly granularity: "day" | "second";
  /** Serves only to place catch-up shards; never filters (case C24). Absent when missing or unreadable. */
  readonly earliest?: Instant;
  readonly deletedRecord: "no" | "transient" | "persistent";
  /** The server's clock when it answered: the only clock a watermark may come from. */
  readonly serverTime?: Instant;
  readonly repositoryName?: string;
  readonly warnings: readonly Warning[];
}

/** Something a person should know, that stops nothing. */
export interface Warning {
  readonly code: string;
  readonly sentence: string;
}

/** What a list says of a record before its body is looked at. */
export interface Header {
  readonly identifier: string;
  /** Absent when the source's text could not be read as a time (case C22); then it never moves a watermark. */
  readonly datestamp?: Instant;
  readonly sets: readonly string[];
  readonly deleted: boolean;
}

/** One record as the source delivered it. */
export interface RawRecord {
  readonly kind: "record";
  readonly header: Header;
  /** The metadata payload: exactly one element in UTF-8, envelope namespaces re-declared on it. Absent: tombstone, or a list of headers. */
  readonly body?: Uint8Array;
  /** `about` containers, verbatim (case C98). */
  readonly about: readonly string[];
  readonly warnings: readonly Warning[];
}

/** A slice of a page that could not be read as a record: it costs itself, not the page (law 2). */
export interface BrokenRecord {
  readonly kind: "broken";
  /** The identifier where one could be found in the damage; else absent. */
  readonly identifier?: string;
  readonly violation: Violation;
  /** The bytes as received, cut at the record limit. */
  readonly raw: Uint8Array;
}

export type PageItem = RawRecord | BrokenRecord;

/** What is known when the last byte of a page has been read. */
export interface PageEnd {
  /** The server's clock for this answer. */
  readonly responseDate?: Instant;
  /** The token of the next page; absent at the end of the list (absent, empty and blank are the same: case C01). */
  readonly token?: string;
  readonly tokenExpires?: Instant;
  /** completeListSize: an estimate, never used to stop (case C16). */
  readonly listSize?: number;
  /** OAI's `cursor` attribute: position of this page's first record. */
  readonly offset?: number;
  /** True when the source said there is nothing (noRecordsMatch): success, not a fault (case C34). */
  readonly nothing: boolean;
  readonly warnings: readonly Warning[];
}

/** What is persisted per (endpoint, set, prefix): how far everything is durable, and where a list was left. */
export interface Cursor {
  /** Everything up to here is committed. Absent: never harvested. */
  readonly watermark?: Instant;
  /** A list that was under way when the last run stopped; kept for `token.cacheTtlSeconds`, never longer. */
  readonly unfinished?: UnfinishedList;
  /** Server time of the last complete identifier sweep. */
  readonly sweptAt?: Instant;
}

export interface UnfinishedList {
  readonly token: string;
  readonly window: Window;
  /** First responseDate of the window: what the watermark becomes when the list ends. */
  readonly windowTime: Instant;
  /** Our clock when the token was stored. */
  readonly storedAt: Instant;
  /** Records of this list already committed. */
  readonly received: number;
  readonly listSize?: number;
}

export interface CursorKey {
  readonly endpoint: string;
  /** "" = the whole repository. */
  readonly set: string;
  readonly prefix: string;
}

/** What the store knows of one identifier. */
export interface StoredState {
  /** SHA-256 of the normalised body. */
  readonly checksum?: Uint8Array;
  /** SHA-256 of the payload bytes as delivered: equal means nothing needs parsing. */
  readonly rawChecksum?: Uint8Array;
  readonly datestamp?: Instant;
  readonly sequence?: number;
  readonly deleted: boolean;
  /** Sets of this source in which it was last seen alive ("" for the whole repository): case C50. */
  readonly sets: readonly string[];
  /** The open quarantine entry of this identifier: same bytes under the same policy need no second judgement. */
  readonly quarantined?: { readonly rawChecksum: Uint8Array; readonly policyDigest: string };
}

/** What is done with one delivered record, and why (a reason code and, for people, a sentence). */
export type Action =
  | { readonly kind: "insert" | "update" | "delete"; readonly reason: string }
  | { readonly kind: "skip"; readonly reason: SkipReason };

export type SkipReason =
  | "unchanged-bytes"
  | "unchanged-content"
  | "stale"
  | "already-deleted"
  | "never-seen-deleted"
  | "still-in-other-set"
  | "still-quarantined"
  | "duplicate-in-batch"
  /** A tombstone under deletions.policy ignore. */
  | "deletions-ignored";

/** One failed check. The first of severity error decides the verdict. */
export interface Violation {
  readonly gate: "envelope" | "well-formed" | "xsd" | "schematron" | "transform" | "engine";
  /** Stable id, e.g. `bbox-order`, `doctype-forbidden`, `missing-element`. */
  readonly rule: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  /** Where in the payload. */
  readonly xpath?: string;
  readonly line?: number;
}

/** What the gates say of one payload. */
export type Verdict =
  | {
      readonly kind: "pass";
      readonly checksum: Uint8Array;
      readonly canonical: CanonicalRecord;
      /** Payload, gzip level 1. */
      readonly packed: Uint8Array;
      /** Violations of severity warning or info. */
      readonly remarks: readonly Violation[];
    }
  | { readonly kind: "unchanged"; readonly checksum: Uint8Array }
  | { readonly kind: "refused"; readonly violations: readonly Violation[] };

/** How a run ended: five different words everywhere (law 4). */
export type Outcome = "complete" | "partial" | "failed" | "refused" | "interrupted";
