import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import { wholeSeconds } from "../bounded-text.js";
import type { KubeObject } from "../object.js";
import { compareEnds, type ActiveRun, type FinishedRun, type RunEnd, type RunsRead } from "../run.js";
import { endingOf } from "./ending.js";
import { jobFacts, type JobEnd, type JobFacts } from "./job.js";
import { lastPod, order } from "./last-pod.js";
import { isOver, type PodFacts } from "./pod.js";
import { troubleOf } from "./trouble.js";

export interface RunsGiven {
  /** The Jobs of one source: those of its CronJob and those that were asked for. */
  readonly jobs: readonly KubeObject[];
  /** The Pods of these Jobs. */
  readonly pods: readonly KubeObject[];
  /** The status as it was written last; what it counts is not counted again. */
  readonly status: HarvestSourceStatus | undefined;
  readonly now: Date;
}

/** Jobs and pods come by two watches: the pod's last word may be a little later than the end of its Job. */
const POD_GRACE_MS = 30_000;

/** What the Jobs and Pods of one source tell. Withdrawals are no harvests and are left out. */
export function readRuns({ jobs, pods, status, now }: RunsGiven): RunsRead {
  const seen = [...new Map(jobs.map((job) => [job.metadata.uid ?? job.metadata.name, job])).values()]
    .map(jobFacts)
    .filter(({ role }) => role !== "withdraw")
    .map((job) => readRun(job, lastPod(job, pods), now));
  const held = seen.flatMap(({ held: one }) => (one ? [one] : []));
  const finished = seen
    .flatMap(({ finished: run }) => (run ? [run] : []))
    .filter((run) => !isFolded(run, status) && held.every((one) => compareEnds(run, one) < 0))
    .sort(compareEnds);
  return {
    finished,
    active: seen.flatMap(({ active }) => (active ? [active] : [])).sort(byStart),
    latestStart: seen.flatMap(({ start }) => start ?? []).reduce<string | undefined>(later, undefined),
    lookAgainAt: earliest(seen.flatMap(({ at }) => at ?? [])),
  };
}

/** Is this end part of the status already? One that is older than the last run there counts as known. */
export function isFolded(run: RunEnd, status: HarvestSourceStatus | undefined): boolean {
  const { endTime, jobName = "", outcome = "failed" } = status?.lastRun ?? {};
  return endTime !== undefined && compareEnds(run, { endTime, jobName, outcome }) <= 0;
}

interface Seen {
  readonly start?: string;
  readonly finished?: FinishedRun;
  readonly active?: ActiveRun;
  /** An end whose pod may still say more: ends after it wait, so that none is taken for an old one. */
  readonly held?: RunEnd;
  readonly at?: Date;
}

function readRun(job: JobFacts, pod: PodFacts | undefined, now: Date): Seen {
  const start = job.startTime ?? job.createdTime;
  if (job.end === undefined) {
    const { sentence, at } = troubleOf(job, pod, now);
    return { start, active: activeRun(job, pod, sentence), at };
  }
  const until = new Date(Date.parse(job.end.time) + POD_GRACE_MS);
  if ((pod === undefined || !isOver(pod)) && until > now)
    return {
      start,
      active: activeRun(job, pod, undefined),
      held: { jobName: job.name, endTime: job.end.time, outcome: "failed" },
      at: until,
    };
  return { start, finished: finishedRun(job, job.end, pod) };
}

function activeRun(job: JobFacts, pod: PodFacts | undefined, trouble: string | undefined): ActiveRun {
  return { ...identity(job), podName: pod?.name, trouble };
}

function finishedRun(job: JobFacts, end: JobEnd, pod: PodFacts | undefined): FinishedRun {
  return { ...identity(job), endTime: end.time, ...endingOf(end, pod) };
}

function identity(job: JobFacts): Pick<FinishedRun, "jobName" | "jobUid" | "requested" | "startTime"> {
  const { name, uid, role, startTime, createdTime } = job;
  return { jobName: name, jobUid: uid, requested: role === "requested", startTime: startTime ?? createdTime };
}

function byStart(a: ActiveRun, b: ActiveRun): number {
  return order(a.startTime ?? "", b.startTime ?? "") || order(a.jobName, b.jobName);
}

function later(one: string | undefined, two: string): string {
  return one === undefined || Date.parse(two) > Date.parse(one) ? two : one;
}

function earliest(times: readonly Date[]): string | undefined {
  const [first] = [...times].sort((a, b) => a.getTime() - b.getTime());
  return first && wholeSeconds(new Date(Math.ceil(first.getTime() / 1000) * 1000));
}
