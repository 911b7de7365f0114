/** The series of the sources at one moment. Pure; computed anew for every scrape, so that a deleted source leaves nothing behind. */
import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";

export interface SourceReading {
  readonly namespace: string;
  readonly name: string;
  readonly status?: HarvestSourceStatus | undefined;
  readonly generation?: number | undefined;
}

/** Absent = not known, no sample. */
export interface SourceSeries {
  readonly namespace: string;
  readonly name: string;
  readonly lagSeconds?: number;
  readonly lastSuccessSeconds?: number;
  readonly failures?: number;
  readonly records?: number;
  readonly quarantined?: number;
  /** How many of the sources are drifted: 0 or 1 for one. */
  readonly drifted: number;
  /** By type and status, how many of the sources have it. */
  readonly conditions: readonly ConditionCount[];
}

interface ConditionCount {
  readonly type: string;
  readonly status: string;
  readonly count: number;
}

export interface SourceBook {
  readonly series: readonly SourceSeries[];
  readonly sources: number;
  readonly behind: number;
  readonly folded: number;
}

/** No name of an object: nobody can make a source that is called so. */
export const OTHER = "_other";

/** Whoever may write a status may invent types; they get no series. */
const TYPES: ReadonlySet<string> = new Set([
  "Ready",
  "Reconciling",
  "Stalled",
  "LastRunSucceeded",
  "Fresh",
  "Drifted",
  "Paused",
]);
const STATUSES: ReadonlySet<string> = new Set(["True", "False", "Unknown"]);

/** The first `max` have series of their own; handed in in a stable order they keep them from scrape to scrape. */
export function sourceBook(
  sources: Iterable<SourceReading>,
  limits: { readonly max: number; readonly now: number },
): SourceBook {
  const all = [...sources];
  const own = all.slice(0, limits.max).map((source) => seriesOf(source, limits.now));
  const rest = all.slice(limits.max).map((source) => seriesOf(source, limits.now));
  return {
    series: rest.length === 0 ? own : [...own, folded(rest)],
    sources: all.length,
    behind: all.filter(isBehind).length,
    folded: rest.length,
  };
}

function isBehind({ status, generation }: SourceReading): boolean {
  return generation !== undefined && status?.observedGeneration !== generation;
}

function seriesOf({ namespace, name, status = {} }: SourceReading, now: number): SourceSeries {
  const watermark = timeOf(status.watermark);
  const success = timeOf(status.lastSuccessTime);
  return {
    namespace,
    name,
    ...(watermark !== undefined && { lagSeconds: Math.max(0, (now - watermark) / 1000) }),
    ...(success !== undefined && { lastSuccessSeconds: success / 1000 }),
    ...numbers({
      failures: status.consecutiveFailures,
      records: status.records,
      quarantined: status.quarantined,
    }),
    drifted: status.drift === undefined ? 0 : 1,
    conditions: (status.conditions ?? [])
      .filter(({ type, status: value }) => TYPES.has(type) && STATUSES.has(value))
      .map(({ type, status: value }) => ({ type, status: value, count: 1 })),
  };
}

function timeOf(text: string | undefined): number | undefined {
  const ms = text === undefined ? NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

function numbers<Name extends string>(
  values: Readonly<Record<Name, number | undefined>>,
): Partial<Record<Name, number>> {
  const known = Object.entries<number | undefined>(values).filter(([, value]) => Number.isFinite(value));
  return Object.fromEntries(known) as Partial<Record<Name, number>>;
}

/** Worst lag, oldest success, and sums of what can be summed. */
function folded(series: readonly SourceSeries[]): SourceSeries {
  const lags = present(series, "lagSeconds");
  const successes = present(series, "lastSuccessSeconds");
  return {
    namespace: OTHER,
    name: OTHER,
    ...(lags.length > 0 && { lagSeconds: lags.reduce((a, b) => Math.max(a, b)) }),
    ...(successes.length > 0 && { lastSuccessSeconds: successes.reduce((a, b) => Math.min(a, b)) }),
    failures: sum(present(series, "failures")),
    records: sum(present(series, "records")),
    quarantined: sum(present(series, "quarantined")),
    drifted: sum(series.map(({ drifted }) => drifted)),
    conditions: countConditions(series),
  };
}

type Amount = "lagSeconds" | "lastSuccessSeconds" | "failures" | "records" | "quarantined";

function present(series: readonly SourceSeries[], amount: Amount): number[] {
  return series.map((one) => one[amount]).filter((value) => value !== undefined);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function countConditions(series: readonly SourceSeries[]): ConditionCount[] {
  const counts = new Map<string, ConditionCount>();
  for (const { type, status } of series.flatMap(({ conditions }) => conditions)) {
    const key = `${type} ${status}`;
    counts.set(key, { type, status, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}
