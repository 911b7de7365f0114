import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import type { StatusInput } from "./input.js";
import { freshUntil } from "./freshness.js";

/** What conditions and summary are decided from: the input, and the status as far as it is known without them. */
export interface Facts {
  readonly input: StatusInput;
  readonly status: HarvestSourceStatus;
  readonly freshness: Freshness;
}

export type Freshness =
  /** Nothing to judge by. */
  | { readonly kind: "unknown" }
  /** No complete run yet; `until`: when there should have been one. */
  | { readonly kind: "first"; readonly until: Date }
  | { readonly kind: "since"; readonly since: string; readonly until: Date };

export function factsOf(input: StatusInput, status: HarvestSourceStatus): Facts {
  return { input, status, freshness: freshnessOf(input, status) };
}

/** The first complete run is expected within one interval, later ones within `freshIntervals`. */
function freshnessOf(
  input: StatusInput,
  { lastSuccessTime, installedSchedule }: HarvestSourceStatus,
): Freshness {
  const { spec, metadata } = input.source;
  const since = lastSuccessTime ?? metadata.creationTimestamp;
  if (since === undefined || Number.isNaN(Date.parse(since))) return { kind: "unknown" };
  const until = freshUntil({
    schedule: installedSchedule ?? spec.schedule,
    timeZone: spec.timeZone,
    since: new Date(since),
    intervals: lastSuccessTime === undefined ? 1 : input.freshIntervals,
  });
  if (until === undefined) return { kind: "unknown" };
  return lastSuccessTime === undefined
    ? { kind: "first", until }
    : { kind: "since", since: lastSuccessTime, until };
}

/** Does anything keep scheduled runs from starting that somebody wanted so? */
export function isHeld({ source, paused }: StatusInput): boolean {
  return source.spec.suspend || paused !== undefined;
}

/** The first run under way that cannot begin, and why. */
export function blockedRun({
  runs,
}: StatusInput): { readonly jobName: string; readonly trouble: string } | undefined {
  const found = runs.active.find(({ trouble }) => trouble !== undefined);
  return found?.trouble === undefined ? undefined : { jobName: found.jobName, trouble: found.trouble };
}
