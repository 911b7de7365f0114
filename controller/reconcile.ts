/** One source, from the whole state: gather → plan → apply → report. Keys in, never events; called again it changes nothing. */
import { carryOut, type ApplyContext } from "./apply.js";
import { gather, type GatherContext } from "./gather.js";
import { finalizer } from "./names.js";
import type { Key } from "./object.js";
import type { Observed } from "./observed.js";
import { isOutdated } from "./outdated.js";
import { plan } from "./plan.js";
import type { Step } from "./plan/step.js";
import { reconcileRemoval } from "./reconcile-removal.js";
import { report, type ReportContext } from "./report.js";
import type { Settings } from "./settings.js";

export interface ReconcileContext extends GatherContext, ReportContext {
  readonly settings: Settings;
  now(): Date;
}

/** What is in the way of a child may be a stranger's, without our label: nobody tells when it goes. */
const BLOCKED_LOOK_MS = 15_000;

/** When to look again although nothing changes in the cluster. */
export interface LookAgain {
  readonly afterMs: number;
}

const AT_ONCE: LookAgain = { afterMs: 0 };

/**
 * Resolves when there is nothing to do before a change or the time it answers. Throws ApiFault when the server refused a
 * write or could not be reached: the queue brings the key again after its back-off, and the status says why it waits.
 */
export async function reconcile(key: Key, context: ReconcileContext): Promise<LookAgain | undefined> {
  const observed = await gather(key, context);
  if (observed === undefined) return undefined;
  if (observed.source.metadata.deletionTimestamp !== undefined) return remove(observed, context);

  const now = context.now();
  const planned = plan(observed, context.settings, now);
  if (planned.steps.length > 0 && (await isOutdated(observed.source, context))) return AT_ONCE;
  const fault = await carryOut(planned.steps, applyContext(observed, context));
  const again = await report({ observed, planned, fault, now }, context);
  if (fault !== undefined) throw fault;
  return planned.trouble === undefined ? again : earlier(again, BLOCKED_LOOK_MS);
}

function earlier(again: LookAgain | undefined, afterMs: number): LookAgain {
  return again !== undefined && again.afterMs < afterMs ? again : { afterMs };
}

async function remove(observed: Observed, context: ReconcileContext): Promise<LookAgain | undefined> {
  if (observed.source.metadata.finalizers?.includes(finalizer) !== true) return undefined;
  if (await isOutdated(observed.source, context)) return AT_ONCE;
  return reconcileRemoval(observed, { ...context, apply: applyContext(observed, context) });
}

function applyContext({ source }: Observed, context: ReconcileContext): ApplyContext {
  return {
    api: context.api,
    writes: context.writes,
    source,
    onStep: (step: Step) => {
      context.onStep(source, step);
    },
  };
}
