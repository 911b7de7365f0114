/**
 * What an elector does next. Pure: the lease as it was seen, local times, and now. All times are ms of one local clock that
 * never jumps: how far another elector's clock is off does not matter, for nobody compares it with ours.
 */
import { sameRecord, type LeaseRecord, type ReadLease } from "./lease-record.js";

/** What is known of the lease. */
export interface Sighting {
  /** As last read; undefined = there was none. */
  readonly lease: ReadLease | undefined;
  /** When this process first saw the record as it is now. A holder that lives changes it with every renewal. */
  readonly since: number;
  /** The record that was there before the lease was deleted under us, and when it was first seen. */
  readonly gone?: { readonly record: LeaseRecord; readonly since: number };
}

/** A lease nobody renews is honoured for as long as its holder claimed, but not for ever. */
const LONGEST_CLAIM_MS = 3_600_000;

/** Takes in another reading; `at` is when its answer came, so that the record is never taken for older than it is. */
export function see(before: Sighting | undefined, lease: ReadLease | undefined, at: number): Sighting {
  if (lease === undefined) return { lease, since: at, ...goneWith(before) };
  const known = before?.lease;
  if (before === undefined || known === undefined) return { lease, since: at };
  return { lease, since: sameRecord(known.record, lease.record) ? before.since : at };
}

function goneWith(before: Sighting | undefined): Pick<Sighting, "gone"> {
  if (before?.lease === undefined) return before?.gone === undefined ? {} : { gone: before.gone };
  return { gone: { record: before.lease.record, since: before.since } };
}

export interface ElectionQuestion {
  /** Our name in the lease. */
  readonly me: string;
  readonly sighting: Sighting;
  /** When the last write that made or kept us the leader was sent; undefined = we do not lead. */
  readonly lastRenew: number | undefined;
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly now: number;
}

export type ElectionDecision =
  /** Nobody has it: write it, as the first (`create`) or as the successor of that version. */
  | { readonly kind: "acquire"; readonly from: ReadLease | undefined }
  /** It is ours: write it anew. `from` undefined = somebody deleted it. */
  | { readonly kind: "renew"; readonly from: ReadLease | undefined }
  /** Somebody has it: not before `until`, and not without another look. */
  | { readonly kind: "wait"; readonly until: number }
  | { readonly kind: "lost"; readonly reason: "taken" | "not-renewed" };

export function decideElection(question: ElectionQuestion): ElectionDecision {
  return question.lastRenew === undefined ? candidate(question) : leader(question, question.lastRenew);
}

/** A leader stops well before the others may begin: renewMs < leaseMs, and both count from its last write. */
function leader({ me, sighting, renewMs, now }: ElectionQuestion, lastRenew: number): ElectionDecision {
  const { lease } = sighting;
  if (now - lastRenew >= renewMs) return { kind: "lost", reason: "not-renewed" };
  // Given back or taken: it is not ours any more, whatever our own clock says.
  if (lease !== undefined && lease.record.holder !== me) return { kind: "lost", reason: "taken" };
  return { kind: "renew", from: lease };
}

function candidate({ me, sighting, leaseMs, now }: ElectionQuestion): ElectionDecision {
  const { lease, gone, since } = sighting;
  const claim = lease === undefined ? gone : { record: lease.record, since };
  const free = claim === undefined || claim.record.holder === "" || claim.record.holder === me;
  // The lease was deleted, but its holder may not have noticed: it keeps what it claimed.
  if (free) return { kind: "acquire", from: lease };
  const until = claim.since + claimMs(claim.record, leaseMs);
  return now >= until ? { kind: "acquire", from: lease } : { kind: "wait", until };
}

function claimMs({ durationSeconds }: LeaseRecord, leaseMs: number): number {
  return durationSeconds === 0 ? leaseMs : Math.min(durationSeconds * 1000, LONGEST_CLAIM_MS);
}
