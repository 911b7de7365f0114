import { decideRemovals, type RemovalDecision, type SweepPlan } from "../detect/deletions.js";
import { Fault } from "../fault.js";
import type { ListEnd } from "../protocols/page-events.js";
import type { Cursor } from "../record.js";
import { commitPortion } from "./commit.js";
import { noDecisions } from "./decide.js";
import { listedIdentifiers, readHeaders } from "./headers.js";
import type { Listed, SetTask } from "./task.js";
import { portions } from "./portions.js";
import type { OpenRun } from "./run.js";
import { stopIfAsked } from "./wire.js";

/** Withdrawals committed together; and at most so many are named in one comparison. */
const WITHDRAWALS_AT_ONCE = 500;
const MOST_MISSING = 1_000_000;

/** Withdraws what a complete list no longer has, if the removal guard allows (law 3). */
export async function sweepSet(
  run: OpenRun,
  task: SetTask,
  given: { readonly plan: SweepPlan; readonly cursor: Cursor; readonly listed: Listed },
): Promise<void> {
  if (given.plan.kind === "none" || run.limit !== undefined) return;
  const listed = given.plan.kind === "by-headers" ? await stageHeaders(run, task) : given.listed;
  const { set } = task.key;
  const { known, missing, missingCount, missingQuarantined = [] } = await run.ledger.sweep(set, MOST_MISSING);
  run.observe({ kind: "sweep", set, known, missing: missingCount });
  const guard = run.source.spec.deletions;
  const decision = decideRemovals({
    complete: listed.complete,
    listed: listed.count,
    known,
    missing: missingCount,
    guard,
  });
  await run.ledger.dropSweep();
  const allowed = heed(run, decision);
  const whole = allowed && listed.complete;
  await withdraw(run, task, {
    missing: whole ? [...missing, ...missingQuarantined] : [],
    cursor: whole ? { ...given.cursor, sweptAt: listed.time } : given.cursor,
  });
  if (!task.stage) return;
  const { watermark: before } = task.start;
  run.observe({ kind: "watermark", set, before, after: given.cursor.watermark });
}

/** False: nothing is withdrawn. Throws Fault `refused` where a person must decide. */
function heed(run: OpenRun, decision: RemovalDecision): boolean {
  if (decision.kind !== "refuse") return true;
  const { code, sentence, remedy } = decision;
  if (code === "DeletionGuard") throw new Fault("refused", { code, sentence, remedy });
  run.observe({ kind: "warning", warning: { code: "list-incomplete", sentence } });
  return false;
}

/** A damaged record without an identifier is not in the list, and its stored copy would look gone: then the list is not whole. */
export function wholeList(end: ListEnd): boolean {
  return end.complete && end.unnamed === 0;
}

/** A list of headers alone, staged in the store: nothing of it is held here. */
async function stageHeaders(run: OpenRun, task: SetTask): Promise<Listed> {
  await run.ledger.dropSweep();
  let listed: Listed = { complete: false, count: 0 };
  for await (const { items, end } of portions(readHeaders(run, task), () => undefined)) {
    const seen = listedIdentifiers(items);
    await run.ledger.stageSweep(seen);
    listed = {
      complete: end !== undefined && wholeList(end),
      count: listed.count + seen.length,
      time: end?.windowTime,
    };
    stopIfAsked(run.signal);
  }
  return listed;
}

async function withdraw(
  run: OpenRun,
  task: SetTask,
  { missing, cursor }: { missing: readonly string[]; cursor: Cursor },
): Promise<void> {
  const { set } = task.key;
  let rest = missing;
  do {
    const now = rest.slice(0, WITHDRAWALS_AT_ONCE);
    rest = rest.slice(WITHDRAWALS_AT_ONCE);
    const withdrawals = now.map((identifier) => ({
      identifier,
      set,
      reason: "missing-from-snapshot" as const,
    }));
    const decisions = { ...noDecisions, withdrawals };
    await commitPortion(run, { key: task.key, decisions, cursor: rest.length === 0 ? cursor : undefined });
  } while (rest.length > 0);
}
