import { keyOf } from "../object.js";
import type { Observed } from "../observed.js";
import { ownershipOf } from "./ownership.js";
import type { Step } from "./step.js";

/**
 * A source that cannot be rendered keeps the schedule it had, with the spec it had; but on-call's brake and the reviewed
 * pause hold all the same.
 */
export function planBrake({ source, cronJob }: Observed, suspended: boolean): readonly Step[] {
  if (cronJob === undefined || ownershipOf(cronJob, source).kind !== "ours") return [];
  const { suspend } = cronJob["spec"] as { readonly suspend?: boolean };
  return (suspend ?? false) === suspended ? [] : [{ kind: "brake", key: keyOf(cronJob), suspend: suspended }];
}
