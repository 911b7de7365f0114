import { gzipSync } from "node:zlib";
import { rawChecksum } from "../detect/checksum.js";
import { firstLook, secondLook, type Delivery, type FirstLook } from "../detect/classify.js";
import { newestOfEach } from "../detect/newest.js";
import type { Batch, Refusal } from "../persist/store.js";
import type {
  BrokenRecord,
  PageItem,
  RawRecord,
  SkipReason,
  StoredState,
  Verdict,
  Violation,
  Warning,
} from "../record.js";
import type { OpenRun } from "./run.js";

/** What is to be written for some deliveries, and what needs no write. */
export interface Decisions extends Pick<
  Batch,
  "changes" | "touches" | "withdrawals" | "refusals" | "healed"
> {
  readonly read: number;
  readonly skipped: readonly SkipReason[];
}

/** For a commit that only withdraws, or only moves a cursor. */
export const noDecisions: Decisions = {
  read: 0,
  skipped: [],
  changes: [],
  touches: [],
  withdrawals: [],
  refusals: [],
  healed: [],
};

export interface DecisionContext {
  readonly set: string;
  /** Whether deleted headers withdraw (deletions.policy). */
  readonly tombstones: boolean;
}

/** Compares deliveries with the store and asks the gates about those that may have changed. Writes nothing. */
export async function decide(
  run: OpenRun,
  items: readonly PageItem[],
  context: DecisionContext,
): Promise<Decisions> {
  const broken = items.filter((item) => item.kind === "broken");
  const records = items.filter((item) => item.kind === "record");
  const { kept, dropped } = newestOfEach(records, (record) => record.header);
  const states = await run.ledger.loadStates(kept.map((record) => record.header.identifier));
  const made = await Promise.all(
    kept.map((record) =>
      decideRecord(run, { record, stored: states.get(record.header.identifier), ...context }),
    ),
  );
  return merge([
    { read: items.length, skipped: dropped.map(() => "duplicate-in-batch" as const) },
    ...broken.map((item) => refuseBroken(item, context.set)),
    ...made,
  ]);
}

type Part = { readonly [Key in keyof Decisions]?: Decisions[Key] };

function merge(parts: readonly Part[]): Decisions {
  return {
    read: parts.reduce((sum, part) => sum + (part.read ?? 0), 0),
    skipped: parts.flatMap((part) => part.skipped ?? []),
    changes: parts.flatMap((part) => part.changes ?? []),
    touches: parts.flatMap((part) => part.touches ?? []),
    withdrawals: parts.flatMap((part) => part.withdrawals ?? []),
    refusals: parts.flatMap((part) => part.refusals ?? []),
    healed: parts.flatMap((part) => part.healed ?? []),
  };
}

interface RecordCase extends DecisionContext {
  readonly record: RawRecord;
  readonly stored: StoredState | undefined;
}

async function decideRecord(run: OpenRun, given: RecordCase): Promise<Part> {
  const { record, stored, set } = given;
  const { header, body } = record;
  if (!header.deleted && body === undefined) return refuse(given, new Uint8Array(), [noMetadata]);
  const delivery: Delivery = {
    header,
    rawChecksum: body === undefined ? undefined : rawChecksum(body),
    set,
    policyDigest: run.policyDigest,
    stored,
  };
  const look = firstLook(delivery);
  if (look.kind === "skip") return skipped(given, look);
  if (look.kind === "withdraw") return withdrawn(given);
  const verdict = await run.gates.check({
    body: body ?? new Uint8Array(),
    knownChecksum: look.knownChecksum,
  });
  return judged(given, delivery, verdict);
}

const noMetadata: Violation = {
  gate: "envelope",
  rule: "no-metadata",
  severity: "error",
  message: "The record has a header but no metadata, and is not marked as deleted.",
};

function skipped({ record, set }: RecordCase, look: Extract<FirstLook, { kind: "skip" }>): Part {
  const { identifier } = record.header;
  return {
    skipped: [look.reason],
    touches: look.touch ? [{ identifier, set }] : [],
    healed: look.heals ? [identifier] : [],
  };
}

function withdrawn({ record, set, tombstones }: RecordCase): Part {
  const { identifier, datestamp } = record.header;
  if (!tombstones) return { skipped: ["deletions-ignored"] };
  return { withdrawals: [{ identifier, set, datestamp, reason: "tombstone" }] };
}

function judged(given: RecordCase, delivery: Delivery, verdict: Verdict): Part {
  const { record, set } = given;
  const { identifier, datestamp } = record.header;
  if (verdict.kind === "refused") return refuse(given, record.body ?? new Uint8Array(), verdict.violations);
  const action = secondLook(delivery, verdict.checksum);
  const bytes = delivery.rawChecksum;
  if (
    verdict.kind === "unchanged" ||
    action.kind === "skip" ||
    action.kind === "delete" ||
    bytes === undefined
  ) {
    // Same content in other bytes: noted, so that the next delivery needs no parsing.
    const touches = [{ identifier, set, datestamp, rawChecksum: bytes }];
    return { skipped: ["unchanged-content"], touches, healed: [identifier] };
  }
  const { checksum, canonical, packed, remarks } = verdict;
  const change = {
    action: action.kind,
    identifier,
    checksum,
    rawChecksum: bytes,
    datestamp,
    set,
    packed,
    canonical,
  };
  return {
    changes: [{ ...change, about: record.about, remarks: [...record.warnings.map(asRemark), ...remarks] }],
    healed: [identifier],
  };
}

/** What was mended on the way in stays visible on the record. */
function asRemark({ code, sentence }: Warning): Violation {
  return { gate: "envelope", rule: code, severity: "warning", message: sentence };
}

function refuse({ record, set }: RecordCase, raw: Uint8Array, violations: readonly Violation[]): Part {
  const { identifier, datestamp, sets } = record.header;
  return { refusals: [refusalOf({ identifier, set, raw, violations, header: { datestamp, sets } })] };
}

/** A slice too damaged to be a record: named by what identifier was left, else by its bytes, so that it is kept once. */
function refuseBroken(item: BrokenRecord, set: string): Part {
  const digest = Buffer.from(rawChecksum(item.raw)).toString("hex").slice(0, 16);
  const identifier = item.identifier ?? `unnamed:${digest}`;
  return { refusals: [refusalOf({ identifier, set, raw: item.raw, violations: [item.violation] })] };
}

function refusalOf(parts: Omit<Refusal, "packed" | "rawChecksum"> & { readonly raw: Uint8Array }): Refusal {
  const { raw, ...rest } = parts;
  return { ...rest, packed: gzipSync(raw, { level: 1 }), rawChecksum: rawChecksum(raw) };
}
