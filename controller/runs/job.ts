import { instantOf } from "../bounded-text.js";
import { labels } from "../names.js";
import type { KubeObject } from "../object.js";
import { fieldsOf, listOf, textOf } from "./json.js";

/** What matters of a batch/v1 Job. */
export interface JobFacts {
  readonly name: string;
  readonly uid: string;
  readonly role: string;
  readonly startTime?: string;
  readonly createdTime?: string;
  readonly suspended: boolean;
  /** Absent while it is under way. */
  readonly end?: JobEnd;
}

export interface JobEnd {
  readonly succeeded: boolean;
  readonly time: string;
  /** BackoffLimitExceeded, DeadlineExceeded, PodFailurePolicy, CompletionsReached, ... */
  readonly reason?: string;
  readonly message?: string;
}

export function jobFacts(job: KubeObject): JobFacts {
  const { metadata } = job;
  const status = fieldsOf(job["status"]);
  return {
    name: metadata.name,
    uid: metadata.uid ?? metadata.name,
    role: metadata.labels?.[labels.role] ?? "scheduled",
    startTime: instantOf(status["startTime"]),
    createdTime: instantOf(metadata.creationTimestamp),
    suspended: fieldsOf(job["spec"])["suspend"] === true,
    end: endOf(job),
  };
}

/** Complete or Failed is the end; SuccessCriteriaMet and FailureTarget come before it, while pods still stop (KEP-3998). */
function endOf(job: KubeObject): JobEnd | undefined {
  const status = fieldsOf(job["status"]);
  const condition = listOf(status["conditions"], 32).find(
    ({ type, status: is }) => (type === "Complete" || type === "Failed") && is === "True",
  );
  if (condition === undefined) return undefined;
  const time =
    instantOf(condition["lastTransitionTime"]) ??
    instantOf(status["completionTime"]) ??
    instantOf(job.metadata.creationTimestamp);
  if (time === undefined) return undefined;
  return {
    succeeded: condition["type"] === "Complete",
    time,
    reason: textOf(condition["reason"], 64),
    message: textOf(condition["message"], 500),
  };
}
