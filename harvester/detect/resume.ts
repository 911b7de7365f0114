/** Whether a list that was under way when the last run stopped is taken up again by its token, or asked anew. */
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import type { Cursor, Instant, UnfinishedList } from "../record.js";
import { toSeconds } from "./instant.js";

export type ResumeDecision =
  | { readonly kind: "resume"; readonly list: UnfinishedList }
  | {
      readonly kind: "anew";
      readonly reason: "nothing-unfinished" | "token-too-old" | "clock-went-back" | "mode-reads-everything";
    };

/** `now` is our clock, as `storedAt` was. A token is kept for minutes, never days (rule 3 of the case log). */
export function decideResume(
  cursor: Cursor,
  spec: Pick<HarvestSourceSpec, "token" | "delta">,
  now: Instant,
): ResumeDecision {
  const list = cursor.unfinished;
  if (list === undefined) return { kind: "anew", reason: "nothing-unfinished" };
  // A whole list is compared: half of one from another run says nothing about what is missing.
  if (spec.delta.mode !== "from-cursor") return { kind: "anew", reason: "mode-reads-everything" };
  const age = toSeconds(now) - toSeconds(list.storedAt);
  if (Number.isNaN(age) || age > spec.token.cacheTtlSeconds) return { kind: "anew", reason: "token-too-old" };
  return age < 0 ? { kind: "anew", reason: "clock-went-back" } : { kind: "resume", list };
}
