/** What people ask of the store: sources and how they stand, records, runs. Reads only; takes no hold. */
import { gunzipSync } from "node:zlib";
import type { CanonicalRecord } from "../canonical.js";
import type { Instant, Violation } from "../record.js";
import type { Db } from "./db.js";
import { identifierKey } from "./storable.js";
import { getRecord as getRecordSql } from "./sql/get-record.js";
import { lastRuns as lastRunsSql } from "./sql/last-runs.js";
import { listRecords as listRecordsSql } from "./sql/list-records.js";
import { listSources as listSourcesSql } from "./sql/list-sources.js";
import type { RunCounts } from "./store.js";

/** A body unpacks to at most this; more is damage. */
const maxBodyBytes = 256 * 1024 * 1024;

export interface RunRow {
  readonly runId: string;
  readonly source: string;
  readonly status: "running" | "complete" | "partial" | "failed" | "refused" | "interrupted";
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  readonly exitCode: number | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly counts: RunCounts | null;
  readonly summary: unknown;
  readonly policyDigest: string;
  readonly holder: string;
}

export interface SourceRow {
  readonly name: string;
  readonly endpoint: string;
  readonly prefix: string;
  /** End of the last run that was complete. */
  readonly lastSuccess: Instant | null;
  /** The oldest watermark of its cursors: everything up to here is committed in all sets. */
  readonly watermark: Instant | null;
  /** Now less the watermark, by the database's clock. */
  readonly lagSeconds: number | null;
  readonly alive: number;
  readonly withdrawn: number;
  /** Open quarantine entries. */
  readonly quarantined: number;
  /** Runs since the last complete one that ended otherwise. */
  readonly failuresInRow: number;
  readonly lastRun: Pick<RunRow, "runId" | "status" | "startedAt" | "endedAt" | "message" | "code"> | null;
  readonly blockedUntil: Instant | null;
  readonly blockedBecause: string | null;
  /** Who harvests it now. */
  readonly holder: string | null;
}

export interface RecordRow {
  readonly source: string;
  readonly identifier: string;
  readonly title: string;
  readonly datestamp: Instant | null;
  readonly sets: readonly string[];
  readonly changedAt: Instant;
  readonly firstSeen: Instant;
  readonly deleted: boolean;
  readonly deletedReason: string | null;
}

export interface RecordFilter {
  readonly source?: string;
  /** Part of the title or of the identifier, case ignored. */
  readonly text?: string;
  /** Default: only living records. */
  readonly withDeleted?: boolean;
  /** Default 50. */
  readonly limit?: number;
  readonly offset?: number;
}

export interface RecordDetail extends RecordRow {
  readonly canonical: CanonicalRecord;
  readonly remarks: readonly Violation[];
  readonly about: readonly string[];
  readonly sequence: number | null;
  readonly checksum: Uint8Array;
  /** The payload as delivered. */
  readonly body: Uint8Array;
}

/** All sources by name, or the one named. */
export function listSources(db: Db, source?: string): Promise<readonly SourceRow[]> {
  return db.query<SourceRow>(listSourcesSql, [source ?? null]);
}

/** By source and identifier. */
export function listRecords(db: Db, filter: RecordFilter = {}): Promise<readonly RecordRow[]> {
  const { source, text, withDeleted = false, limit = 50, offset = 0 } = filter;
  return db.query<RecordRow>(listRecordsSql, [
    source ?? null,
    text === undefined ? null : likePattern(text),
    withDeleted,
    limit,
    offset,
  ]);
}

/** The records with this identifier: one a source that has it. */
export async function getRecord(
  db: Db,
  identifier: string,
  source?: string,
): Promise<readonly RecordDetail[]> {
  const rows = await db.query<Omit<RecordDetail, "body"> & { readonly packed: Uint8Array }>(getRecordSql, [
    identifierKey(identifier),
    source ?? null,
  ]);
  return rows.map(({ packed, ...row }) => ({ ...row, body: unpack(packed) }));
}

/** The newest first. */
export function lastRuns(
  db: Db,
  options: { readonly source?: string; readonly limit?: number } = {},
): Promise<readonly RunRow[]> {
  return db.query<RunRow>(lastRunsSql, [options.source ?? null, options.limit ?? 20]);
}

export function unpack(packed: Uint8Array): Uint8Array {
  return gunzipSync(packed, { maxOutputLength: maxBodyBytes });
}

/** The text itself, wherever it stands: % and _ are letters here. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
