import type { KubeObject } from "../object.js";
import { jobFacts } from "./job.js";
import { lastPod } from "./last-pod.js";
import { troubleOf, type Trouble } from "./trouble.js";

/** What keeps the Job that withdraws the records of a removed source from beginning; nothing when it is well or not there. */
export function withdrawalTrouble(
  { jobs, pods }: { readonly jobs: readonly KubeObject[]; readonly pods: readonly KubeObject[] },
  now: Date,
): Trouble {
  const job = jobs.map(jobFacts).find(({ role, end }) => role === "withdraw" && end === undefined);
  return job === undefined ? {} : troubleOf(job, lastPod(job, pods), now);
}
