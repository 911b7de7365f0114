import type { HarvestSourceSpec, HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import type { FinishedRun } from "../run.js";
import { watermarkAfter } from "./watermark.js";

/** What the runs of a source add up to. */
export type Standing = Pick<
  HarvestSourceStatus,
  | "lastRun"
  | "lastSuccessTime"
  | "consecutiveFailures"
  | "records"
  | "quarantined"
  | "policyDigest"
  | "watermark"
  | "notBefore"
>;

/** The standing after runs it does not count yet, oldest first. */
export function foldRuns(
  standing: Standing,
  finished: readonly FinishedRun[],
  spec: HarvestSourceSpec,
): Standing {
  return finished.reduce((before, run) => foldRun(before, run, spec), standing);
}

function foldRun(before: Standing, run: FinishedRun, spec: HarvestSourceSpec): Standing {
  const after: Standing = {
    ...before,
    ...known(run),
    lastRun: lastRunOf(run),
    watermark: watermarkAfter(before.watermark, run, spec),
  };
  if (run.outcome === "complete")
    return { ...after, lastSuccessTime: run.endTime, consecutiveFailures: 0, notBefore: run.notBefore };
  return {
    ...after,
    consecutiveFailures: (before.consecutiveFailures ?? 0) + 1,
    // A run that was cut short says nothing of the quiet the source asked for: what is known of it stays.
    notBefore: run.notBefore ?? before.notBefore,
  };
}

/** What a run may tell; what it does not tell stays as it was. */
function known({ totals, policyDigest, bundleDigest }: FinishedRun): Standing {
  const digest = policyDigest ?? bundleDigest;
  return {
    ...(totals?.records !== undefined && { records: totals.records }),
    ...(totals?.quarantined !== undefined && { quarantined: totals.quarantined }),
    ...(digest !== undefined && { policyDigest: digest }),
  };
}

function lastRunOf(run: FinishedRun): Standing["lastRun"] {
  const { runId, jobName, exitCode, code, remedy, startTime, endTime, outcome, message, counts } = run;
  return { runId, jobName, exitCode, code, remedy, startTime, endTime, outcome, message, counts };
}
