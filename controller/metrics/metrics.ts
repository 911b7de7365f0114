/** What the controller counts, and the page Prometheus reads. */
import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import type { Clock } from "../clock.js";
import { knownValues } from "./definitions.js";
import { createBook, type Book } from "./registry.js";
import { refresh, type Readings } from "./scrape.js";

type LastRun = NonNullable<HarvestSourceStatus["lastRun"]>;

export interface MetricsOptions {
  /** Label of the queue and the reconciles, e.g. harvestsource. */
  readonly controller: string;
  readonly workers: number;
  readonly leaseName: string;
  /** host:port of the API server. */
  readonly host: string;
  readonly clock: Pick<Clock, "now">;
  /** Called for every scrape. */
  readonly read: Readings;
  /** Sources with series of their own at most; default 2,000. */
  readonly maxSources?: number;
  /** CPU, memory, event loop of this process; default true. */
  readonly processDefaults?: boolean;
}

export interface Metrics {
  /** For the work queue. */
  readonly queueHooks: {
    added(): void;
    retried(): void;
    taken(waitedSeconds: number): void;
    worked(work: { readonly result: "success" | "requeue_after" | "error"; readonly seconds: number }): void;
  };
  /** An attempt of a request: verb as RBAC or HTTP names it, status 0 = no answer. */
  request(request: { readonly verb: string; readonly status: number }): void;
  /** A run that ended; once for each. */
  run(run: { readonly outcome: NonNullable<LastRun["outcome"]>; readonly counts?: LastRun["counts"] }): void;
  /** Drift found on a source; once for each. */
  drift(action: "revert" | "warn"): void;
  /** A child of this kind was put back. */
  childRepaired(kind: string): void;
  event(outcome: "written" | "spam" | "full" | "failed"): void;
  /** The page, in Prometheus's text format. */
  exposition(): Promise<{ readonly contentType: string; readonly body: string }>;
}

const DEFAULT_MAX_SOURCES = 2_000;

export function createMetrics(options: MetricsOptions): Metrics {
  const book = createBook(options.processDefaults ?? true);
  const { controller, host } = options;
  beginAtNought(book, controller);
  return {
    queueHooks: queueHooks(book, controller),
    request: ({ verb, status }) => {
      book.count("requests", {
        code: status === 0 ? "<error>" : String(status),
        method: methodOf(verb),
        host,
      });
    },
    run: ({ outcome, counts = {} }) => {
      book.count("runs", { outcome });
      for (const action of knownValues.actions) book.count("runRecords", { action }, counts[action] ?? 0);
    },
    drift: (action) => {
      book.count("drift", { action });
    },
    childRepaired: (kind) => {
      book.count("repaired", { kind });
    },
    event: (outcome) => {
      book.count("events", { outcome });
    },
    exposition: async () => {
      const sources = refresh(book, { maxSources: DEFAULT_MAX_SOURCES, ...options });
      return { contentType: book.contentType, body: `${await book.text()}\n${sources}` };
    },
  };
}

function queueHooks(book: Book, controller: string): Metrics["queueHooks"] {
  const queue = { name: controller };
  return {
    added: () => {
      book.count("adds", queue);
    },
    retried: () => {
      book.count("retries", queue);
    },
    taken: (seconds) => {
      book.observe("queueDuration", queue, seconds);
    },
    worked: ({ result, seconds }) => {
      book.observe("workDuration", queue, seconds);
      book.observe("reconcileTime", { controller }, seconds);
      book.count("reconciles", { controller, result });
      if (result === "error") book.count("reconcileErrors", { controller });
    },
  };
}

/** A counter that first appears with 1 shows no increase. */
function beginAtNought(book: Book, controller: string): void {
  for (const id of ["adds", "retries"] as const) book.count(id, { name: controller }, 0);
  for (const result of knownValues.results) book.count("reconciles", { controller, result }, 0);
  book.count("reconcileErrors", { controller }, 0);
  for (const outcome of knownValues.outcomes) book.count("runs", { outcome }, 0);
  for (const action of knownValues.actions) book.count("runRecords", { action }, 0);
  for (const action of knownValues.driftActions) book.count("drift", { action }, 0);
  for (const kind of knownValues.kinds) book.count("repaired", { kind }, 0);
  for (const outcome of knownValues.events) book.count("events", { outcome }, 0);
}

const methods: Readonly<Record<string, string>> = {
  list: "GET",
  watch: "GET",
  create: "POST",
  update: "PUT",
  deletecollection: "DELETE",
};

function methodOf(verb: string): string {
  return methods[verb] ?? verb.toUpperCase();
}
