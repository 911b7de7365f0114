import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import type { LiveSource } from "../object.js";
import type { RunsRead } from "../run.js";

/** May the source be harvested as it stands, and is everything in place for it? */
export type Verdict =
  | {
      readonly kind: "accepted";
      /** The schedule as it stands in the CronJob, and how much later than written it is. */
      readonly installed: { readonly schedule: string; readonly offsetMinutes: number };
      /** The policy bundle the next run uses. */
      readonly bundle: { readonly name: string; readonly digest: string };
      readonly childrenInPlace: boolean;
      /** Why they are not, where it is not just a matter of seconds. */
      readonly childTrouble?: string;
    }
  /** `reason` CamelCase, `message` the sentence lint would have said. */
  | { readonly kind: "stalled"; readonly reason: string; readonly message: string };

/** The brake of an annotation, in force. */
export interface Pause {
  readonly reason: string;
  /** RFC 3339; absent = until somebody takes it off. */
  readonly until?: string;
  /** What is wrong with the annotations, in one sentence. */
  readonly problem?: string;
}

export interface StatusInput {
  /** With the status as it was written last. */
  readonly source: LiveSource;
  readonly now: Date;
  readonly verdict: Verdict;
  readonly runs: RunsRead;
  readonly paused?: Pause;
  readonly drift?: NonNullable<HarvestSourceStatus["drift"]>;
  /** Drift is switched off for a source that drifted. */
  readonly driftUntold?: true;
  /** Absent = nobody is known to have delivered the spec: drift cannot be told. */
  readonly delivery?: NonNullable<HarvestSourceStatus["delivery"]>;
  /** The request acted on now; absent = the one of before stays. */
  readonly handledRequestedAt?: string;
  /** A source is fresh for so many intervals of its schedule after its last complete run. */
  readonly freshIntervals: number;
  readonly nextRunTime?: string;
}
