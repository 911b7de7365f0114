import { labels, finalizer } from "../names.js";
import { keyOf, type KubeObject, type LiveSource } from "../object.js";
import type { Observed } from "../observed.js";
import { resources } from "../resources.js";
import type { Step } from "./step.js";

/** Longest time a removed source waits for its records to be withdrawn; then it goes without. */
export const MAX_WITHDRAW_MS = 60 * 60 * 1000;

/** What is to be done about a source that was deleted and carries our finalizer. */
export type Removal =
  /** Children and runs go first, so that nothing writes what is being withdrawn. */
  | { readonly kind: "stop"; readonly steps: readonly Step[] }
  | { readonly kind: "withdraw" }
  | { readonly kind: "wait"; readonly afterMs: number }
  | { readonly kind: "done"; readonly sentence: string }
  /** It cannot hang for ever: the records stay, and somebody is told. */
  | { readonly kind: "given-up"; readonly sentence: string };

export function decideRemoval(observed: Observed, now: Date): Removal {
  const { source, jobs } = observed;
  const withdraw = jobs.find((job) => roleOf(job) === "withdraw");
  const outcome = withdraw === undefined ? undefined : endOf(withdraw);
  if (outcome === "Complete")
    return { kind: "done", sentence: `The records of ${keyOf(source)} were withdrawn.` };
  if (outcome === "Failed") return givenUp(source, "the Job that withdraws them failed");
  const left = MAX_WITHDRAW_MS - (now.getTime() - Date.parse(source.metadata.deletionTimestamp ?? ""));
  if (left <= 0) return givenUp(source, "withdrawing them took longer than an hour");
  return withdraw === undefined ? beforeWithdrawal(observed, left) : { kind: "wait", afterMs: left };
}

function beforeWithdrawal({ source, cronJob, jobs }: Observed, left: number): Removal {
  // Owned objects go first in a foreground deletion; one that is made meanwhile may be taken along.
  if (source.metadata.finalizers?.includes("foregroundDeletion") === true)
    return { kind: "wait", afterMs: left };
  const stop = stopSteps(cronJob, jobs);
  if (stop.length > 0) return { kind: "stop", steps: stop };
  const stillThere = cronJob !== undefined || jobs.some((job) => endOf(job) === undefined);
  return stillThere ? { kind: "wait", afterMs: left } : { kind: "withdraw" };
}

export function givenUp(source: LiveSource, why: string): Extract<Removal, { readonly kind: "given-up" }> {
  return {
    kind: "given-up",
    sentence: `The records of ${keyOf(source)} stay in the catalogue: ${why}. Withdraw them by hand (docs/operating.md, "Removing a source").`,
  };
}

function stopSteps(cronJob: KubeObject | undefined, jobs: readonly KubeObject[]): readonly Step[] {
  const running = jobs.filter((job) => endOf(job) === undefined);
  const all = [
    ...(cronJob === undefined ? [] : [{ resource: resources.cronJob, object: cronJob }]),
    ...running.map((object) => ({ resource: resources.job, object })),
  ];
  return all.flatMap(({ resource, object }): readonly Step[] => {
    const { uid, deletionTimestamp } = object.metadata;
    if (uid === undefined || deletionTimestamp !== undefined) return [];
    return [{ kind: "delete", resource, key: keyOf(object), uid, why: "source removed" }];
  });
}

/** Complete | Failed, or undefined while it runs. */
function endOf(job: KubeObject): string | undefined {
  const status = job["status"] as { conditions?: readonly { type?: string; status?: string }[] } | undefined;
  return status?.conditions?.find(
    ({ type, status: is }) => is === "True" && (type === "Complete" || type === "Failed"),
  )?.type;
}

function roleOf({ metadata }: KubeObject): string | undefined {
  return metadata.labels?.[labels.role];
}

/** The finalizer stands exactly while removal has work to do outside the cluster. */
export function planFinalizer({ metadata, spec }: LiveSource): readonly Step[] {
  const wanted = spec.deletions.onSourceRemoval === "withdraw";
  const there = metadata.finalizers?.includes(finalizer) === true;
  return wanted === there ? [] : [{ kind: "finalizer", present: wanted }];
}
