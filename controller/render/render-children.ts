/** What one HarvestSource becomes in the cluster. Pure: from the manifest and the settings to the bytes that are applied. */
import { spreadSchedule, type Spread } from "../../source/spread.js";
import type { KubeObject } from "../object.js";
import { renderConfigMap, specHashOf } from "./config-map.js";
import { renderCronJob } from "./cron-job.js";
import { renderNetworkPolicy } from "./network-policy.js";
import type { RenderInput } from "./render-input.js";

export interface Children {
  readonly configMap: KubeObject;
  readonly networkPolicy: KubeObject;
  readonly cronJob: KubeObject;
  /** As it stands in the CronJob, and how many minutes that is later than written. */
  readonly schedule: Spread;
  /** SHA-256 of the resolved manifest, in hex; its first 10 digits are in the ConfigMap's name. */
  readonly specHash: string;
}

/** To be applied in this order: the CronJob's pods need the ConfigMap, and should not run without their NetworkPolicy. */
export function renderChildren(input: RenderInput): Children {
  const schedule = spreadSchedule(input.source);
  return {
    configMap: renderConfigMap(input.source),
    networkPolicy: renderNetworkPolicy(input),
    cronJob: renderCronJob(input, schedule),
    schedule,
    specHash: specHashOf(input.source),
  };
}
