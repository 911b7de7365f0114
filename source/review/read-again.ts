import type { HarvestSourceSpec } from "../harvest-source.generated.js";
import type { StoreFacts } from "./facts.js";
import type { ReadAgain } from "./review.js";
import type { SourceChange } from "./source-change.js";

/** A new or renamed source is read from the beginning, and so is one whose every cursor is new. */
export function readAgain(change: SourceChange, facts: StoreFacts | undefined): ReadAgain {
  if (change.kind === "removed" || change.kind === "unchanged") return { kind: "nothing" };
  const all =
    change.kind === "added" ||
    change.kind === "renamed" ||
    allCursorsNew(change.base.source.spec, change.head.source.spec);
  if (!all) return { kind: "nothing" };
  // What a store knows of a source that is new to this policy is what an earlier one of its name left behind.
  return change.kind === "added" ? { kind: "all" } : { kind: "all", ...costOfAll(facts) };
}

/** A cursor belongs to address, set and prefix as they are written (docs/store.md); none of the old ones is used again. */
export function allCursorsNew(before: HarvestSourceSpec, after: HarvestSourceSpec): boolean {
  if (before.baseUrl !== after.baseUrl || before.metadataPrefix !== after.metadataPrefix) return true;
  const old = new Set(before.sets ?? [""]);
  return (after.sets ?? [""]).every((set) => !old.has(set));
}

interface Cost {
  readonly records?: number;
  readonly bytes?: number;
  readonly seconds?: number;
}

/** What reading everything took the last time; where that is not known, how many records there are. */
export function costOfAll(facts: StoreFacts | undefined): Cost {
  if (facts === undefined) return {};
  const { records, lastFullRun } = facts;
  return lastFullRun === undefined
    ? { records }
    : { records, bytes: lastFullRun.bytes, seconds: lastFullRun.seconds };
}
