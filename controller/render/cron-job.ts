import type { Spread } from "../../source/spread.js";
import { cronJobName } from "../names.js";
import type { KubeObject } from "../object.js";
import { resources } from "../resources.js";
import { childLabels, childObject } from "./child-object.js";
import { harvestJobSpec, policyNote } from "./harvest-job.js";
import type { RenderInput } from "./render-input.js";

/**
 * How late a run may still start. Longer than a change of leader or an upgrade of the control plane takes; shorter than the
 * hours between runs, so that what a pause left out is not made up for when it ends, and so that 100 starts are never missed,
 * after which the CronJob controller gives up.
 */
const STARTING_DEADLINE_SECONDS = 600;

/** Three of each: the first failure of a series is the one to look at, and a controller that was away reads what it missed. */
const HISTORY = 3;

export function renderCronJob(input: RenderInput, { schedule }: Spread): KubeObject {
  const { source, suspended } = input;
  return childObject(source, {
    resource: resources.cronJob,
    name: cronJobName(source.metadata.name),
    content: {
      spec: {
        schedule,
        timeZone: source.spec.timeZone,
        suspend: suspended || source.spec.suspend,
        concurrencyPolicy: "Forbid",
        startingDeadlineSeconds: STARTING_DEADLINE_SECONDS,
        successfulJobsHistoryLimit: HISTORY,
        failedJobsHistoryLimit: HISTORY,
        jobTemplate: {
          metadata: { labels: childLabels(source, "scheduled"), annotations: policyNote(input) },
          spec: harvestJobSpec(input, "scheduled"),
        },
      },
    },
  });
}
