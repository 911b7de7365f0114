/** How records leave: by which signs, when the source is swept for missing ones, and the guard on removals (law 3). */
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import type { Capabilities, Cursor, Instant } from "../record.js";
import { toSeconds } from "./instant.js";

export interface DeletionPolicy {
  /** Deleted headers withdraw records. */
  readonly tombstones: boolean;
  /** Records missing from a complete list are withdrawn. */
  readonly sweep: boolean;
}

/** `auto` follows what the source promises of its deletions (OAI-PMH §2.5.1; cases C45, C46). */
export function deletionPolicy(
  policy: HarvestSourceSpec["deletions"]["policy"],
  deletedRecord: Capabilities["deletedRecord"],
): DeletionPolicy {
  if (policy === "ignore") return { tombstones: false, sweep: false };
  // A deleted header means what it says, also from a source that promised none.
  return {
    tombstones: true,
    sweep: policy === "snapshot" || (policy === "auto" && deletedRecord !== "persistent"),
  };
}

export interface SweepQuestion {
  readonly policy: DeletionPolicy;
  readonly mode: HarvestSourceSpec["delta"]["mode"];
  readonly sweepIntervalHours: number;
  readonly cursor: Cursor;
  /** The server's clock, as `sweptAt` was. */
  readonly now: Instant | undefined;
}

export type SweepPlan =
  /** `countsAsSwept`: when the run is complete, `sweptAt` becomes its window time all the same. */
  | {
      readonly kind: "none";
      readonly countsAsSwept: boolean;
      readonly reason: "policy" | "not-due" | "first-harvest";
    }
  /** The list that is read anyway is whole: its identifiers are compared. */
  | { readonly kind: "by-list" }
  /** A list of headers is read for it. */
  | { readonly kind: "by-headers"; readonly reason: "never-swept" | "interval" };

export function planSweep(question: SweepQuestion): SweepPlan {
  const { policy, mode, cursor, now } = question;
  if (!policy.sweep) return { kind: "none", countsAsSwept: false, reason: "policy" };
  if (mode !== "from-cursor") return { kind: "by-list" };
  // What was never harvested to its end cannot have ghosts worth a second list: the next interval finds them.
  if (cursor.watermark === undefined) return { kind: "none", countsAsSwept: true, reason: "first-harvest" };
  if (cursor.sweptAt === undefined || now === undefined) return { kind: "by-headers", reason: "never-swept" };
  const age = toSeconds(now) - toSeconds(cursor.sweptAt);
  if (age >= question.sweepIntervalHours * 3600) return { kind: "by-headers", reason: "interval" };
  return { kind: "none", countsAsSwept: false, reason: "not-due" };
}

export interface RemovalQuestion {
  /** Did the list end by protocol, whole, and without a fault (rule 1 of the case log)? */
  readonly complete: boolean;
  /** Identifiers the source listed. */
  readonly listed: number;
  /** Stored alive in this set before. */
  readonly known: number;
  /** Stored alive but not listed. */
  readonly missing: number;
  /** Of the missing, how many have the same content as a record that came new (case C99). */
  readonly twins?: number | undefined;
  readonly guard: Pick<HarvestSourceSpec["deletions"], "maxPercent" | "minRecords">;
}

export type RemovalDecision =
  | { readonly kind: "nothing" }
  | { readonly kind: "withdraw" }
  /** Nothing is withdrawn. `DeletionGuard` is a refusal a person must settle. */
  | {
      readonly kind: "refuse";
      readonly code: "ListIncomplete" | "DeletionGuard";
      readonly sentence: string;
      readonly remedy: string;
    };

const LOOK_FIRST =
  "If the records are really gone, raise spec.deletions.maxPercent in the manifest for one run; otherwise ask the source's operator.";
const EMPTY =
  "An empty list never withdraws anything. If the source has really ended, suspend it (spec.suspend: true) or remove its manifest; otherwise ask its operator.";

/** Absence is not deletion: only a complete list withdraws, and not too much at once (cases C35, C45, C51). */
export function decideRemovals(question: RemovalQuestion): RemovalDecision {
  const { listed, known, missing, guard } = question;
  if (missing === 0) return { kind: "nothing" };
  if (!question.complete) {
    return {
      kind: "refuse",
      code: "ListIncomplete",
      sentence: `The list of identifiers was not complete: none of the ${String(missing)} records missing from it is withdrawn.`,
      remedy: "The next complete list decides.",
    };
  }
  const tooMany = missing > guard.minRecords && missing * 100 > guard.maxPercent * known;
  if (listed > 0 && !tooMany) return { kind: "withdraw" };
  return {
    kind: "refuse",
    code: "DeletionGuard",
    sentence: guardSentence(question),
    remedy: listed === 0 ? EMPTY : LOOK_FIRST,
  };
}

function guardSentence({ listed, known, missing, twins, guard }: RemovalQuestion): string {
  const renamed =
    twins === undefined || twins === 0
      ? ""
      : ` ${String(twins)} of them came back with the same content under another identifier: the source may have renamed its records.`;
  if (listed === 0)
    return `The source lists nothing any more, while ${String(known)} of its records are stored: none is withdrawn.`;
  const share = Math.round((missing * 1000) / Math.max(known, 1)) / 10;
  const limits = `more than ${String(guard.maxPercent)} % and more than ${String(guard.minRecords)} records`;
  return `${String(missing)} of ${String(known)} records (${String(share)} %) are missing from the source's list, ${limits}: none is withdrawn.${renamed}`;
}
