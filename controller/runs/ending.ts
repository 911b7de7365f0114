import type { FinishedRun } from "../run.js";
import type { JobEnd } from "./job.js";
import {
  contradicted,
  exitCodes,
  noReport,
  neverStarted,
  reasons,
  unknownExit,
  vanished,
  type KnownEnd,
} from "./known-ends.js";
import type { PodFacts, Terminated } from "./pod.js";
import { readTerminationMessage, type Report } from "./termination-message.js";
import { startTrouble } from "./trouble.js";

export type Ending = Omit<FinishedRun, "jobName" | "jobUid" | "requested" | "startTime" | "endTime">;

const nothingSaid: Report = { cursors: [], warnings: [] };

/**
 * How a run ended: by its own word; else by its exit code (docs/exit-codes.md); else by what Kubernetes says of the pod;
 * else by what it says of the Job. `pod` is the last one, absent when it is gone.
 */
export function endingOf(end: JobEnd, pod: PodFacts | undefined): Ending {
  const terminated = pod?.terminated;
  const report = readTerminationMessage(terminated?.message) ?? nothingSaid;
  const exitCode = terminated?.exitCode ?? report.exitCode ?? (pod ? undefined : toldExitCode(end));
  const { bundleDigest } = pod ?? {};
  return { ...report, exitCode, bundleDigest, ...allFour(verdict({ report, exitCode, end, pod })) };
}

interface Told {
  readonly report: Report;
  readonly exitCode: number | undefined;
  readonly end: JobEnd;
  readonly pod: PodFacts | undefined;
}

function verdict(told: Told): KnownEnd {
  const own = ownWord(told);
  if (own !== undefined) return own;
  const { exitCode, pod } = told;
  const coded = exitCode === undefined ? undefined : exitCodes.get(exitCode);
  return coded ?? byReason(pod) ?? (exitCode === undefined ? byJob(told) : unknownExit(exitCode));
}

/** A run that says "complete" and then ends otherwise cannot look clean. */
function ownWord({ report, exitCode }: Told): KnownEnd | undefined {
  const { outcome } = report;
  if (outcome === undefined) return undefined;
  if (outcome !== "complete") return { outcome, ...reasonOf(report, failureOf(exitCode)) };
  if (exitCode !== undefined && exitCode !== 0) return contradicted(exitCode);
  return { outcome, message: report.message ?? noReport.message };
}

/** What an exit code other than 0 says. */
function failureOf(exitCode: number | undefined): KnownEnd | undefined {
  return exitCode === undefined || exitCode === 0 ? undefined : exitCodes.get(exitCode);
}

/** A message that was cut short may lack the sentence: then the exit code has one. */
function reasonOf({ code, message, remedy }: Report, known: KnownEnd | undefined): Omit<KnownEnd, "outcome"> {
  if (message !== undefined) return { code: code ?? known?.code, message, remedy };
  return {
    code: code ?? known?.code,
    message: known?.message ?? "The run did not say why it ended.",
    remedy: remedy ?? known?.remedy,
  };
}

/** All four, so that nothing of the report shows through where the verdict is another's. */
function allFour({ outcome, code, message, remedy }: KnownEnd): KnownEnd {
  return { outcome, code, message, remedy };
}

function byReason(pod: PodFacts | undefined): KnownEnd | undefined {
  if (pod === undefined) return undefined;
  const known =
    containerEnd(pod.terminated) ?? (pod.reason === undefined ? undefined : reasons.get(pod.reason));
  if (known !== undefined) return known;
  const trouble = pod.waiting && startTrouble(pod.waiting);
  if (trouble !== undefined) return neverStarted(trouble);
  if (pod.unschedulable !== undefined) return neverStarted(`No node took its pod: ${pod.unschedulable}`);
  return pod.phase === "Pending" && !pod.started
    ? neverStarted(`Its pod ${pod.name} was still waiting for its image or its volumes.`)
    : undefined;
}

function containerEnd(terminated: Terminated | undefined): KnownEnd | undefined {
  return terminated?.reason === undefined ? undefined : reasons.get(terminated.reason);
}

function byJob({ end }: Told): KnownEnd {
  if (end.succeeded) return noReport;
  return reasons.get(end.reason ?? "") ?? vanished;
}

/** Kept by the Job of a pod that podFailurePolicy judged: "… failed with exit code 78 matching FailJob rule …". */
function toldExitCode({ message }: JobEnd): number | undefined {
  const found = /\bexit code (\d{1,3})\b/.exec(message ?? "");
  const code = Number(found?.[1] ?? Number.NaN);
  return code <= 255 ? code : undefined;
}
