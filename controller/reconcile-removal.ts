import type { ApiFault } from "./api.js";
import { carryOut, type ApplyContext } from "./apply.js";
import { wholeSeconds } from "./bounded-text.js";
import { withdrawJobName } from "./names.js";
import { keyOf, type LiveSource } from "./object.js";
import type { Observed } from "./observed.js";
import { decideRemoval, givenUp, MAX_WITHDRAW_MS, type Removal } from "./plan/removal.js";
import type { Step } from "./plan/step.js";
import { renderNetworkPolicy } from "./render/network-policy.js";
import { renderWithdrawJob } from "./render/withdraw-job.js";
import { writeStatus, type EventNote, type ReportContext } from "./report.js";
import { resources } from "./resources.js";
import { withdrawalTrouble } from "./runs/withdrawal-trouble.js";
import type { Settings } from "./settings.js";
import { sameStatus } from "./status/same-status.js";
import { withdrawingStatus } from "./status/withdrawing-status.js";

export interface RemovalContext extends Pick<ReportContext, "api" | "writes" | "recordEvent"> {
  readonly settings: Settings;
  readonly apply: ApplyContext;
  now(): Date;
}

interface Removing {
  readonly observed: Observed;
  readonly now: Date;
}

/** A removed source whose records are withdrawn before it goes. It goes in any case: see decideRemoval. */
export async function reconcileRemoval(
  observed: Observed,
  context: RemovalContext,
): Promise<{ readonly afterMs: number } | undefined> {
  const removing = { observed, now: context.now() };
  const removal = decideRemoval(observed, removing.now);
  const fault = await carryOut(stepsOf(removal, observed, context.settings), context.apply);
  if (fault !== undefined && isNamespaceGoing(fault)) return goWithout(observed, context);
  if (fault !== undefined) throw fault;
  return tell(removal, removing, context);
}

/** The namespace controller deletes everything but lets nothing be made: no Job will ever withdraw anything. */
function isNamespaceGoing({ status, message }: ApiFault): boolean {
  return status === 403 && message.includes("because it is being terminated");
}

async function goWithout({ source }: Observed, context: RemovalContext): Promise<undefined> {
  const fault = await carryOut([{ kind: "finalizer", present: false }], context.apply);
  if (fault !== undefined) throw fault;
  context.recordEvent(source, notWithdrawn(givenUp(source, "its namespace is being deleted").sentence));
}

function notWithdrawn(message: string): EventNote {
  return { type: "Warning", reason: "RecordsNotWithdrawn", message };
}

async function tell(
  removal: Removal,
  removing: Removing,
  context: RemovalContext,
): Promise<{ readonly afterMs: number } | undefined> {
  const { source } = removing.observed;
  switch (removal.kind) {
    case "done":
      context.recordEvent(source, {
        type: "Normal",
        reason: "RecordsWithdrawn",
        message: removal.sentence,
      });
      return undefined;
    case "given-up":
      context.recordEvent(source, notWithdrawn(removal.sentence));
      return undefined;
    case "stop":
    case "withdraw":
      await tellWaiting(undefined, removing, context);
      return undefined;
    case "wait": {
      const { sentence, at } = withdrawalTrouble(removing.observed, removing.now);
      await tellWaiting(sentence, removing, context);
      const looksAgain = at === undefined ? Infinity : at.getTime() - removing.now.getTime();
      return { afterMs: Math.min(removal.afterMs, looksAgain) };
    }
  }
}

/** Status and event of a source that waits, when they say something new. */
async function tellWaiting(
  trouble: string | undefined,
  { observed: { source }, now }: Removing,
  context: RemovalContext,
): Promise<void> {
  const message = [waitingSentence(source), trouble].filter((part) => part !== undefined).join(" ");
  const next = withdrawingStatus(source, message, now);
  if (sameStatus(source.status, next)) return;
  await writeStatus(source, next, context);
  context.recordEvent(
    source,
    trouble === undefined
      ? { type: "Normal", reason: "Withdrawing", message }
      : { type: "Warning", reason: "WithdrawalBlocked", message },
  );
}

function waitingSentence(source: LiveSource): string {
  const { name, uid = "", deletionTimestamp = "" } = source.metadata;
  const end = wholeSeconds(new Date(Date.parse(deletionTimestamp) + MAX_WITHDRAW_MS));
  return `Being removed: Job ${withdrawJobName(name, uid)} withdraws the records of ${keyOf(source)} first. It goes without that at ${end}.`;
}

function stepsOf(removal: Removal, { source }: Observed, { render }: Settings): readonly Step[] {
  switch (removal.kind) {
    case "stop":
      return removal.steps;
    case "withdraw":
      // The policy may have gone with the other children: without it the pod could be cut off from the store, or from nothing.
      return [
        {
          kind: "apply",
          resource: resources.networkPolicy,
          object: renderNetworkPolicy({ source, settings: render }),
          why: "missing",
        },
        { kind: "create", resource: resources.job, object: renderWithdrawJob({ source, settings: render }) },
      ];
    case "done":
    case "given-up":
      return [{ kind: "finalizer", present: false }];
    case "wait":
      return [];
  }
}
