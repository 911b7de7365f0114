import type { Instant, SkipReason, Warning } from "../record.js";
import type { RunEvent } from "./events.js";

/** What has happened so far in a run: the events, added up. Bounded whatever the number of records. */
export interface Tally {
  readonly requests: number;
  readonly bytes: number;
  readonly waitedMs: number;
  readonly read: number;
  readonly inserted: number;
  readonly updated: number;
  readonly withdrawn: number;
  readonly stale: number;
  readonly healed: number;
  readonly quarantined: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Refusals by `gate/rule`. */
  readonly refusedBy: Readonly<Record<string, number>>;
  readonly watermarks: readonly {
    readonly set: string;
    readonly before?: Instant;
    readonly after?: Instant;
  }[];
  readonly incomplete: readonly string[];
  readonly listSize?: number;
  readonly received: number;
  readonly restarts: number;
  /** The source's clock less ours, in seconds; absent: it told no time. */
  readonly skewSeconds?: number;
  /** Distinct warnings, first sentence of each code and how often it was said. */
  readonly warnings: readonly (Warning & { readonly times: number })[];
}

export const emptyTally: Tally = {
  requests: 0,
  bytes: 0,
  waitedMs: 0,
  read: 0,
  inserted: 0,
  updated: 0,
  withdrawn: 0,
  stale: 0,
  healed: 0,
  quarantined: 0,
  skipped: {},
  refusedBy: {},
  watermarks: [],
  incomplete: [],
  received: 0,
  restarts: 0,
  warnings: [],
};

/** A hostile source must not grow the summary: distinct rules and warnings beyond this are counted together. */
const MOST_KEYS = 100;

/** The tally after one more event. */
export function addEvent(tally: Tally, event: RunEvent): Tally {
  switch (event.kind) {
    case "request":
      return { ...tally, requests: tally.requests + 1 };
    case "bytes":
      return { ...tally, bytes: tally.bytes + event.bytes };
    case "wait":
      return { ...tally, waitedMs: tally.waitedMs + event.milliseconds };
    case "restart":
      return { ...tally, restarts: tally.restarts + 1 };
    case "page":
      return { ...tally, received: event.received, listSize: event.listSize ?? tally.listSize };
    case "committed":
      return addCommit(tally, event);
    case "watermark":
      return {
        ...tally,
        watermarks: [...tally.watermarks.filter((w) => w.set !== event.set), watermarkOf(tally, event)],
      };
    case "incomplete":
      return { ...tally, incomplete: [...tally.incomplete, event.sentence].slice(0, MOST_KEYS) };
    case "warning":
      return { ...tally, warnings: addWarning(tally.warnings, event.warning) };
    case "identified":
      return event.skewSeconds === undefined ? tally : { ...tally, skewSeconds: event.skewSeconds };
    case "window":
    case "sweep":
    case "fault":
      return tally;
  }
}

/** All records that needed no write. */
export function unchanged(tally: Tally): number {
  const other = new Set<SkipReason>([
    "still-quarantined",
    "duplicate-in-batch",
    "never-seen-deleted",
    "deletions-ignored",
  ]);
  return Object.entries(tally.skipped).reduce(
    (sum, [reason, count]) => (other.has(reason as SkipReason) ? sum : sum + count),
    0,
  );
}

type Commit = Extract<RunEvent, { kind: "committed" }>;

function addCommit(tally: Tally, event: Commit): Tally {
  return {
    ...tally,
    read: tally.read + event.read,
    inserted: tally.inserted + event.inserted,
    updated: tally.updated + event.updated,
    withdrawn: tally.withdrawn + event.withdrawn,
    stale: tally.stale + event.stale,
    healed: tally.healed + event.healed,
    quarantined: tally.quarantined + event.refused.length,
    skipped: addCounts(tally.skipped, event.skipped),
    refusedBy: event.refused.reduce((by, one) => countKey(by, `${one.gate}/${one.rule}`), tally.refusedBy),
  };
}

function addCounts(
  one: Readonly<Partial<Record<SkipReason, number>>>,
  two: Readonly<Partial<Record<SkipReason, number>>>,
): Partial<Record<SkipReason, number>> {
  const sum: Partial<Record<SkipReason, number>> = { ...one };
  for (const [reason, count] of Object.entries(two) as [SkipReason, number][])
    sum[reason] = (sum[reason] ?? 0) + count;
  return sum;
}

function countKey(by: Readonly<Record<string, number>>, key: string): Record<string, number> {
  const known = key in by || Object.keys(by).length < MOST_KEYS ? key : "other";
  return { ...by, [known]: (by[known] ?? 0) + 1 };
}

function addWarning(warnings: Tally["warnings"], warning: Warning): Tally["warnings"] {
  const known = warnings.find((w) => w.code === warning.code);
  if (known) return warnings.map((w) => (w === known ? { ...w, times: w.times + 1 } : w));
  return warnings.length >= MOST_KEYS ? warnings : [...warnings, { ...warning, times: 1 }];
}

function watermarkOf(
  tally: Tally,
  event: Extract<RunEvent, { kind: "watermark" }>,
): Tally["watermarks"][number] {
  const earlier = tally.watermarks.find((w) => w.set === event.set);
  return { set: event.set, before: earlier ? earlier.before : event.before, after: event.after };
}
