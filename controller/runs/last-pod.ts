import type { KubeObject } from "../object.js";
import type { JobFacts } from "./job.js";
import { podFacts, type PodFacts } from "./pod.js";

/** The pod that tells how its Job ended: the last one made, unless an earlier one succeeded. */
export function lastPod(job: JobFacts, pods: readonly KubeObject[]): PodFacts | undefined {
  const own = pods
    .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === job.uid))
    .map(podFacts)
    .sort((a, b) => order(a.createdTime ?? "", b.createdTime ?? "") || order(a.name, b.name));
  return own.find(({ phase }) => phase === "Succeeded") ?? own.at(-1);
}

/** By code unit: the same for everybody. */
export function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
