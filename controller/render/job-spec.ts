import { containerName } from "./pod-template.js";

export interface JobParts {
  readonly template: object;
  readonly deadlineSeconds: number;
  /** Further pods after one that failed with a code that is not in `finalCodes`. */
  readonly retries: number;
  /** Exit codes (docs/exit-codes.md, ascending) after which no further pod is started. */
  readonly finalCodes: readonly number[];
  /** Only for Jobs outside a CronJob, whose history is cleared by its limits. */
  readonly keptSeconds?: number;
}

/** One pod at a time, once to its end. A pod that the cluster moves away is replaced and counts for nothing. */
export function jobSpec(parts: JobParts): object {
  return {
    parallelism: 1,
    completions: 1,
    completionMode: "NonIndexed",
    backoffLimit: parts.retries,
    activeDeadlineSeconds: parts.deadlineSeconds,
    podReplacementPolicy: "Failed",
    podFailurePolicy: {
      rules: [
        // First, because a pod that is moved away ends with a code of its own.
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
        { action: "FailJob", onExitCodes: { containerName, operator: "In", values: parts.finalCodes } },
      ],
    },
    ...(parts.keptSeconds !== undefined && { ttlSecondsAfterFinished: parts.keptSeconds }),
    template: parts.template,
  };
}
