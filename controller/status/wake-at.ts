import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import { factsOf, isHeld } from "./facts.js";
import type { StatusInput } from "./input.js";

/**
 * When the status would be another though nothing changes in the cluster: freshness runs out, a pause or a rest ends, a run
 * has to be looked at again. Undefined = never. `status` is what decideStatus made of `input`.
 */
export function wakeAt(input: StatusInput, status: HarvestSourceStatus): Date | undefined {
  const { freshness } = factsOf(input, status);
  const times = [
    freshness.kind === "unknown" || isHeld(input) ? undefined : freshness.until,
    dateOf(input.paused?.until),
    dateOf(status.notBefore),
    dateOf(input.runs.lookAgainAt),
  ];
  const [next] = times
    .filter((time): time is Date => time !== undefined && time > input.now)
    .sort((a, b) => a.getTime() - b.getTime());
  return next;
}

function dateOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
