/** What the cluster tells of the runs of one source. Read by controller/runs, folded into the status by controller/status. */
import type { HarvestSourceStatus } from "../source/harvest-source.generated.js";

type LastRun = NonNullable<HarvestSourceStatus["lastRun"]>;
export type Outcome = NonNullable<LastRun["outcome"]>;
export type RunCounts = NonNullable<LastRun["counts"]>;

/** A Job of a source that came to its end. Every text is bounded and clean, every number a count. */
export interface FinishedRun {
  readonly jobName: string;
  readonly jobUid: string;
  /** Started because somebody asked (annotation requestedAt), not by the schedule. */
  readonly requested: boolean;
  readonly runId?: string;
  /** When its Job began. */
  readonly startTime?: string;
  /** When its Job ended, by the clock of the control plane: the nodes' clocks may disagree, and runs are ordered by it. */
  readonly endTime: string;
  readonly outcome: Outcome;
  /** Absent when the pod vanished. */
  readonly exitCode?: number;
  /** Reason code of an end that was not complete, CamelCase. */
  readonly code?: string;
  readonly message: string;
  readonly remedy?: string;
  readonly counts?: RunCounts;
  /** What the catalogue holds of the source after the run. */
  readonly totals?: { readonly records?: number; readonly quarantined?: number };
  /** Where each cursor stood before and after; absent times = nothing was ever committed. */
  readonly cursors: readonly CursorMove[];
  /** What was harvested, where the run could say so: its endpoint without secrets, and its metadata format. */
  readonly endpoint?: string;
  readonly prefix?: string;
  /** Digest of the schemas and rules the run used, as it saw them. */
  readonly policyDigest?: string;
  /** Digest of the policy bundle its pod was given. */
  readonly bundleDigest?: string;
  /** No request to the source before this time. */
  readonly notBefore?: string;
  readonly warnings: readonly RunWarning[];
}

export interface CursorMove {
  /** "" = the whole repository. */
  readonly set: string;
  readonly before?: string;
  readonly after?: string;
}

export interface RunWarning {
  readonly code: string;
  readonly sentence: string;
  readonly times: number;
}

/** A Job of a source that has not come to its end. */
export interface ActiveRun {
  readonly jobName: string;
  readonly jobUid: string;
  readonly requested: boolean;
  readonly startTime?: string;
  readonly podName?: string;
  /** Why its pod cannot start, in one sentence. */
  readonly trouble?: string;
}

export interface RunsRead {
  /** Those the status does not count yet, oldest first. */
  readonly finished: readonly FinishedRun[];
  /** Oldest first. */
  readonly active: readonly ActiveRun[];
  /** When the latest of all visible runs began. */
  readonly latestStart?: string;
  /** Reading again then may tell more, though nothing changes in the cluster. */
  readonly lookAgainAt?: string;
}

/** What a run is ordered by. */
export type RunEnd = Pick<FinishedRun, "jobName" | "outcome" | "endTime">;

/**
 * Earlier ends first. In the same second a complete run comes last, so that a run that merely found the source busy never
 * hides it; then by name, so that the order is the same for everybody.
 */
export function compareEnds(a: RunEnd, b: RunEnd): number {
  return (
    Date.parse(a.endTime) - Date.parse(b.endTime) ||
    Number(a.outcome === "complete") - Number(b.outcome === "complete") ||
    (a.jobName < b.jobName ? -1 : Number(a.jobName > b.jobName))
  );
}
