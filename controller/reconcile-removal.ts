import { carryOut, type ApplyContext } from "./apply.js";
import type { Observed } from "./observed.js";
import { decideRemoval, type Removal } from "./plan/removal.js";
import type { Step } from "./plan/step.js";
import { renderNetworkPolicy } from "./render/network-policy.js";
import { renderWithdrawJob } from "./render/withdraw-job.js";
import type { ReportContext } from "./report.js";
import { resources } from "./resources.js";
import type { Settings } from "./settings.js";

export interface RemovalContext extends Pick<ReportContext, "recordEvent"> {
  readonly settings: Settings;
  readonly apply: ApplyContext;
  now(): Date;
}

/** A removed source whose records are withdrawn before it goes. It goes in any case: see decideRemoval. */
export async function reconcileRemoval(
  observed: Observed,
  context: RemovalContext,
): Promise<{ readonly afterMs: number } | undefined> {
  const removal = decideRemoval(observed, context.now());
  const fault = await carryOut(stepsOf(removal, observed, context.settings), context.apply);
  if (fault !== undefined) throw fault;
  if (removal.kind === "done")
    context.recordEvent(observed.source, {
      type: "Normal",
      reason: "RecordsWithdrawn",
      message: removal.sentence,
    });
  if (removal.kind === "given-up")
    context.recordEvent(observed.source, {
      type: "Warning",
      reason: "RecordsNotWithdrawn",
      message: removal.sentence,
    });
  return removal.kind === "wait" ? { afterMs: removal.afterMs } : undefined;
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
