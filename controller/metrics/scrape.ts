/** What is read at the moment of a scrape and kept by nobody in between. */
import type { Clock } from "../clock.js";
import { definitions, sourceMetrics, type KeptMetricId, type SourceMetricId } from "./definitions.js";
import type { Book } from "./registry.js";
import { seriesText, type Sample } from "./series-text.js";
import { sourceBook, type SourceReading, type SourceSeries } from "./source-series.js";

export interface QueueReading {
  readonly depth: number;
  readonly working: number;
  readonly unfinishedSeconds: number;
  readonly longestSeconds: number;
}

/** A reflector; several of one name (one a namespace) are one series. */
export interface ReflectorReading {
  readonly name: string;
  readonly state: {
    readonly synced: boolean;
    readonly objects: number;
    readonly failures: number;
    readonly idleMs: number;
    readonly counts: {
      readonly lists: number;
      readonly watches: number;
      readonly events: number;
      readonly staleEvents: number;
      readonly callbackFailures: number;
      readonly restarts: Readonly<Partial<Record<string, number>>>;
    };
  };
}

export interface Readings {
  /** All sources, in a stable order. */
  sources(): Iterable<SourceReading>;
  queue(): QueueReading;
  reflectors(): Iterable<ReflectorReading>;
  leading(): boolean;
}

export interface ScrapeOptions {
  readonly controller: string;
  readonly workers: number;
  readonly leaseName: string;
  readonly clock: Pick<Clock, "now">;
  readonly read: Readings;
  readonly maxSources: number;
}

/** Brings the book up to date, and answers what of the page is not in it. */
export function refresh(book: Book, options: ScrapeOptions): string {
  const { read, controller, leaseName } = options;
  const queue = read.queue();
  book.set("depth", { name: controller }, queue.depth);
  book.set("unfinished", { name: controller }, queue.unfinishedSeconds);
  book.set("longest", { name: controller }, queue.longestSeconds);
  book.set("activeWorkers", { controller }, queue.working);
  book.set("workers", { controller }, options.workers);
  book.set("leader", { name: leaseName }, read.leading() ? 1 : 0);
  refreshReflectors(book, [...read.reflectors()]);
  return sourcesPage(book, options);
}

const reflectorCounters = {
  reflectorLists: "lists",
  reflectorWatches: "watches",
  reflectorEvents: "events",
  reflectorStale: "staleEvents",
  reflectorCallbacks: "callbackFailures",
} as const satisfies Partial<Record<KeptMetricId, keyof ReflectorReading["state"]["counts"]>>;

function refreshReflectors(book: Book, all: readonly ReflectorReading[]): void {
  for (const id of [...reflectorIds, "reflectorRestarts"] as const) book.clear(id);
  for (const { name, state } of all)
    for (const [reason, count = 0] of Object.entries(state.counts.restarts))
      book.set("reflectorRestarts", { name, reason }, count);
  for (const [name, states] of byName(all)) {
    for (const id of reflectorIds)
      book.set(id, { name }, sum(states.map(({ counts }) => counts[reflectorCounters[id]])));
    book.set("reflectorObjects", { name }, sum(states.map(({ objects }) => objects)));
    book.set("reflectorFailures", { name }, Math.max(...states.map(({ failures }) => failures)));
    book.set("reflectorSilent", { name }, Math.max(...states.map(({ idleMs }) => idleMs)) / 1000);
    book.set("reflectorSynced", { name }, states.every(({ synced }) => synced) ? 1 : 0);
  }
}

const reflectorIds = Object.keys(reflectorCounters) as (keyof typeof reflectorCounters)[];

function byName(all: readonly ReflectorReading[]): Map<string, ReflectorReading["state"][]> {
  const names = new Map<string, ReflectorReading["state"][]>();
  for (const { name, state } of all) names.set(name, [...(names.get(name) ?? []), state]);
  return names;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const amounts = {
  lag: "lagSeconds",
  lastSuccess: "lastSuccessSeconds",
  failures: "failures",
  records: "records",
  quarantined: "quarantined",
  drifted: "drifted",
} as const satisfies Readonly<Record<Exclude<SourceMetricId, "condition">, keyof SourceSeries>>;

/** The series of single sources as text; their totals go into the book. */
function sourcesPage(book: Book, { read, clock, maxSources }: ScrapeOptions): string {
  const { series, ...totals } = sourceBook(read.sources(), { max: maxSources, now: clock.now() });
  book.set("sources", {}, totals.sources);
  book.set("sourcesBehind", {}, totals.behind);
  book.set("folded", {}, totals.folded);
  return sourceMetrics
    .map((id) =>
      seriesText(definitions[id], id === "condition" ? conditions(series) : values(series, amounts[id])),
    )
    .join("\n");
}

function values(series: readonly SourceSeries[], amount: (typeof amounts)[keyof typeof amounts]): Sample[] {
  return series.flatMap(({ namespace, name, [amount]: value }) =>
    value === undefined ? [] : [{ labels: [namespace, name], value }],
  );
}

function conditions(series: readonly SourceSeries[]): Sample[] {
  return series.flatMap(({ namespace, name, conditions: all }) =>
    all.map(({ type, status, count }) => ({ labels: [namespace, name, type, status], value: count })),
  );
}
