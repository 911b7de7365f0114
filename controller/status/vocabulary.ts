import type { Condition } from "../object.js";

/**
 * All words a status or an event can say, so that docs/status.md can be held against them. Besides these, Ready and Stalled
 * carry the reason of the verdict (the lint rule, CamelCase), and LastRunSucceeded the reason code of the run.
 */

/** In the order in which they stand in a status. */
export const conditionReasons = {
  Ready: [
    "Scheduled",
    "Paused",
    "Suspended",
    "ChildrenPending",
    "ChildrenBlocked",
    "NotAccepted",
    "BeingRemoved",
  ],
  Reconciling: ["ChildrenPending", "ChildrenBlocked"],
  Stalled: ["NotAccepted"],
  LastRunSucceeded: ["Complete", "Partial", "Failed", "Refused", "Interrupted", "NoRunYet", "RunBlocked"],
  Fresh: ["WithinSchedule", "Overdue", "NeverSucceeded", "NoSuccessYet", "Paused", "NoSchedule"],
  Drifted: ["SpecChanged", "AsDelivered"],
  Paused: ["PausedByAnnotation", "SuspendedInSpec"],
} as const;

export type ConditionType = keyof typeof conditionReasons;

/** In the order of their precedence: the first that holds is the summary. `Failing` is followed by how often, in brackets. */
export const summaryWords = [
  "Withdrawing",
  "Stalled",
  "Suspended",
  "Paused",
  "Installing",
  "Blocked",
  "Denied",
  "Resting",
  "Failing",
  "Stale",
  "Drifted",
  "Running",
  "Waiting",
  "Fresh",
] as const;

export type SummaryWord = (typeof summaryWords)[number];

export const eventReasons = [
  "Scheduled",
  "Stalled",
  "ChildrenBlocked",
  "RunFailed",
  "RunRecovered",
  "RunBlocked",
  "FirstRunComplete",
  "Stale",
  "Paused",
  "Resumed",
  "DriftDetected",
  "DriftCleared",
  "RequestHandled",
  "RequestRefused",
  "Withdrawing",
  "WithdrawalBlocked",
  "RecordsWithdrawn",
  "RecordsNotWithdrawn",
] as const;

export type EventReason = (typeof eventReasons)[number];

/** A reason that is not of ours, but has the form the API server demands. */
export type ForeignReason = string & { readonly foreign: true };

/** What a condition says; undefined = it is not there. */
export interface Saying<T extends ConditionType> {
  readonly status: Condition["status"];
  readonly reason: (typeof conditionReasons)[T][number] | ForeignReason;
  readonly message: string;
}

/** `text` when it can be a condition's reason, else `otherwise`. */
export function foreignReason<R extends string>(text: string | undefined, otherwise: R): ForeignReason | R {
  return text !== undefined && /^[A-Za-z][A-Za-z0-9]{0,127}$/.test(text)
    ? (text as ForeignReason)
    : otherwise;
}
