import { Fault } from "../fault.js";
import type { CommitResult } from "../persist/store.js";
import type { Cursor, CursorKey, SkipReason, Violation } from "../record.js";
import type { Decisions } from "./decide.js";
import type { OpenRun } from "./run.js";

export interface PortionCommit {
  readonly key: CursorKey;
  readonly decisions: Decisions;
  readonly cursor?: Cursor;
}

/** One transaction. Under `onFailure: fail` a refusal is written down, moves no cursor, and ends the run. */
export async function commitPortion(run: OpenRun, { key, decisions, cursor }: PortionCommit): Promise<void> {
  const { read, skipped, ...writes } = decisions;
  const failing = run.source.spec.validation.onFailure === "fail" && writes.refusals.length > 0;
  const moves = failing || run.limit !== undefined ? undefined : cursor;
  const result = await run.ledger.commit({ key, ...writes, cursor: moves });
  run.observe({
    kind: "committed",
    read,
    ...countsOf(result),
    skipped: countReasons(skipped),
    refused: decisions.refusals.map(deciding),
  });
  if (failing) throw recordRefused(decisions);
}

function countsOf(result: CommitResult): Omit<CommitResult, "quarantined"> {
  const { inserted, updated, withdrawn, stale, healed } = result;
  return { inserted, updated, withdrawn, stale, healed };
}

function countReasons(reasons: readonly SkipReason[]): Partial<Record<SkipReason, number>> {
  const counts: Partial<Record<SkipReason, number>> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

function deciding({ violations }: Decisions["refusals"][number]): Pick<Violation, "gate" | "rule"> {
  const first = violations.find((v) => v.severity === "error") ?? violations[0];
  return { gate: first?.gate ?? "engine", rule: first?.rule ?? "unknown" };
}

function recordRefused({ refusals }: Decisions): Fault {
  const [first] = refusals;
  const { gate, rule } = first === undefined ? { gate: "engine", rule: "unknown" } : deciding(first);
  return new Fault("refused", {
    code: "RecordRefused",
    sentence: `Record ${first?.identifier ?? ""} was refused by ${gate}/${rule}, and validation.onFailure is fail: the run stopped before the watermark.`,
    remedy: "Fix the record at the source or the rule, or set validation.onFailure to quarantine.",
  });
}
