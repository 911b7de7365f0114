/**
 * What is done with a delivered record, decided twice: at first sight, from its header and the digest of its bytes, so
 * that an unchanged record costs nothing more; and again when the gates have told the digest of its content. The order
 * of the questions follows the store's upsert, which has the last word (facts: sequence, then content, then datestamp).
 */
import type { Action, Header, SkipReason, StoredState } from "../record.js";
import { sameChecksum } from "./checksum.js";

export interface Delivery {
  readonly header: Header;
  /** Of the payload; absent for a tombstone. */
  readonly rawChecksum?: Uint8Array | undefined;
  /** A version number that only grows, where a source has one. */
  readonly sequence?: number | undefined;
  /** The set this list was asked for; "" = the whole repository. */
  readonly set: string;
  readonly policyDigest: string;
  /** Undefined: never seen. */
  readonly stored: StoredState | undefined;
}

export type FirstLook =
  | {
      readonly kind: "skip";
      readonly reason: SkipReason;
      /** Its membership of this set is new and must be noted. */
      readonly touch: boolean;
      /** It came sound while an older delivery of it lies in quarantine: that entry is closed. */
      readonly heals: boolean;
    }
  | {
      readonly kind: "withdraw";
      /** `still-in-other-set`: only its membership of this set ends (case C50). */
      readonly reason: "tombstone" | "still-in-other-set";
    }
  /** To the gates. With `knownChecksum` they stop when the content is the same. */
  | { readonly kind: "candidate"; readonly knownChecksum?: Uint8Array | undefined };

export function firstLook(delivery: Delivery): FirstLook {
  return delivery.header.deleted ? lookAtTombstone(delivery) : lookAtLiving(delivery);
}

function skip(reason: SkipReason): FirstLook {
  return { kind: "skip", reason, touch: false, heals: false };
}

function lookAtTombstone({ header, stored, set }: Delivery): FirstLook {
  if (stored === undefined) return skip("never-seen-deleted");
  if (stored.deleted) return skip("already-deleted");
  if (isOlder(header, stored)) return skip("stale");
  // Only ever refused: nothing to withdraw but its quarantine entry, which the withdrawal closes (case C52).
  const elsewhere = set === "" ? [] : stored.sets.filter((other) => other !== set);
  return { kind: "withdraw", reason: elsewhere.length > 0 ? "still-in-other-set" : "tombstone" };
}

function lookAtLiving(delivery: Delivery): FirstLook {
  const { stored } = delivery;
  if (stored === undefined) return { kind: "candidate" };
  if (isStillQuarantined(delivery, stored)) return skip("still-quarantined");
  const order = sequenceOrder(delivery.sequence, stored.sequence);
  if (order === "older") return skip("stale");
  // A newer number for the same content must be written, or an older delivery could overtake it later.
  if (order === "newer" || stored.deleted) return revived(delivery, stored);
  if (sameChecksum(stored.rawChecksum, delivery.rawChecksum)) return unchanged(delivery, stored);
  if (order === "same" || isOlder(delivery.header, stored)) return skip("stale");
  return { kind: "candidate", knownChecksum: stored.checksum };
}

/** Same bytes under the same policy need no second judgement. */
function isStillQuarantined({ rawChecksum, policyDigest }: Delivery, { quarantined }: StoredState): boolean {
  return quarantined?.policyDigest === policyDigest && sameChecksum(quarantined.rawChecksum, rawChecksum);
}

/** Must be written whatever its content is: the gates are not told what is known. */
function revived({ header, sequence }: Delivery, stored: StoredState): FirstLook {
  const ordered = sequence !== undefined && stored.sequence !== undefined;
  return !ordered && isOlder(header, stored) ? skip("stale") : { kind: "candidate" };
}

function unchanged({ set }: Delivery, stored: StoredState): FirstLook {
  const touch = !stored.sets.includes(set);
  return { kind: "skip", reason: "unchanged-bytes", touch, heals: stored.quarantined !== undefined };
}

function sequenceOrder(
  given: number | undefined,
  known: number | undefined,
): "older" | "same" | "newer" | "unknown" {
  if (given === undefined || known === undefined) return "unknown";
  return given < known ? "older" : given === known ? "same" : "newer";
}

/** Older than what is stored; equal is not older, as a day may hold several changes (case C19). */
function isOlder(header: Header, stored: StoredState): boolean {
  return (
    header.datestamp !== undefined && stored.datestamp !== undefined && header.datestamp < stored.datestamp
  );
}

/** The gates passed it, or found its content unchanged: insert, update, or skip. */
export function secondLook(delivery: Delivery, checksum: Uint8Array): Action {
  const { stored } = delivery;
  // A state without a checksum was only ever quarantined: the record itself is new.
  if (stored === undefined || (stored.checksum === undefined && !stored.deleted))
    return { kind: "insert", reason: "new" };
  if (stored.deleted) return { kind: "update", reason: "republished" };
  if (!sameChecksum(stored.checksum, checksum)) return { kind: "update", reason: "content-changed" };
  const newer = sequenceOrder(delivery.sequence, stored.sequence) === "newer";
  return newer
    ? { kind: "update", reason: "sequence-advanced" }
    : { kind: "skip", reason: "unchanged-content" };
}

/**
 * delta.mode snapshot lists headers only: must this record be fetched? Not when the store has it, alive, in this set,
 * at this very datestamp, and nothing of it lies in quarantine.
 */
export function mustFetch(header: Header, stored: StoredState | undefined, set: string): boolean {
  if (header.deleted) return false;
  if (stored === undefined || stored.deleted || stored.quarantined !== undefined) return true;
  return (
    header.datestamp === undefined || header.datestamp !== stored.datestamp || !stored.sets.includes(set)
  );
}
