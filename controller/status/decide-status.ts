import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import { instantOf } from "../bounded-text.js";
import { withinBounds } from "./bounds.js";
import { conditionsOf } from "./conditions.js";
import { factsOf, isHeld } from "./facts.js";
import { foldRuns } from "./fold-runs.js";
import type { StatusInput } from "./input.js";
import { summaryOf } from "./summary.js";

/** The whole status of a source. Nothing in it depends on `now` but what turns at a time: see wakeAt. */
export function decideStatus(input: StatusInput): HarvestSourceStatus {
  const { source, runs, now } = input;
  const previous = source.status ?? {};
  const { notBefore, ...standing } = foldRuns(previous, runs.finished, source.spec);
  const status: HarvestSourceStatus = {
    observedGeneration: observedGeneration(input),
    ...installed(input),
    watermark: standing.watermark,
    lastRun: standing.lastRun,
    lastSuccessTime: standing.lastSuccessTime,
    nextRunTime: isHeld(input) ? undefined : instantOf(input.nextRunTime),
    records: standing.records,
    quarantined: standing.quarantined,
    consecutiveFailures: standing.consecutiveFailures,
    policyDigest: standing.policyDigest,
    notBefore: notBefore !== undefined && Date.parse(notBefore) > now.getTime() ? notBefore : undefined,
    activeRuns: runs.active.length,
    lastHandledRequestedAt: input.handledRequestedAt ?? previous.lastHandledRequestedAt,
    delivery: input.delivery,
    drift: input.drift,
  };
  const facts = factsOf(input, status);
  return withinBounds({ ...status, conditions: conditionsOf(facts), summary: summaryOf(facts) });
}

/** Moves only when the generation was judged: Ready or Stalled (kstatus). -1 = never. */
function observedGeneration({ source, verdict }: StatusInput): number {
  const judged = verdict.kind === "stalled" || verdict.childrenInPlace;
  const known = judged ? source.metadata.generation : source.status?.observedGeneration;
  return known ?? -1;
}

/** While a source is stalled, what was installed for it before stays, and is told. */
function installed({ source, verdict }: StatusInput): HarvestSourceStatus {
  if (verdict.kind === "accepted")
    return {
      policyBundle: verdict.bundle,
      installedSchedule: verdict.installed.schedule,
      scheduleOffsetMinutes: verdict.installed.offsetMinutes,
    };
  const { policyBundle, installedSchedule, scheduleOffsetMinutes } = source.status ?? {};
  return { policyBundle, installedSchedule, scheduleOffsetMinutes };
}
