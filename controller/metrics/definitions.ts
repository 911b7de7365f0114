/**
 * All metrics of the controller. Those of queue, reconcile, client and election have controller-runtime's names and labels,
 * so that dashboards and alerts made for other controllers work. docs/metrics.md says the same for people; a test compares.
 */
export interface Definition {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
}

/** From a tenth of a millisecond to a quarter of an hour. */
const WAIT_BUCKETS = [0.0001, 0.001, 0.01, 0.1, 0.5, 1, 5, 10, 60, 300, 900];
const WORK_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const SOURCE = ["namespace", "name"];

function counter(name: string, labels: readonly string[], help: string): Definition {
  return { name, type: "counter", help, labels };
}

function gauge(name: string, labels: readonly string[], help: string): Definition {
  return { name, type: "gauge", help, labels };
}

function histogram(
  name: string,
  labels: readonly string[],
  shape: { readonly help: string; readonly buckets: readonly number[] },
): Definition {
  return { name, type: "histogram", labels, ...shape };
}

export const definitions = {
  depth: gauge("workqueue_depth", ["name"], "Keys that wait for a worker."),
  adds: counter("workqueue_adds_total", ["name"], "Keys added."),
  retries: counter("workqueue_retries_total", ["name"], "Keys added again after a failure."),
  queueDuration: histogram("workqueue_queue_duration_seconds", ["name"], {
    help: "How long keys waited for a worker.",
    buckets: WAIT_BUCKETS,
  }),
  workDuration: histogram("workqueue_work_duration_seconds", ["name"], {
    help: "How long the work on a key took.",
    buckets: WORK_BUCKETS,
  }),
  unfinished: gauge(
    "workqueue_unfinished_work_seconds",
    ["name"],
    "Sum of the ages of the work in progress.",
  ),
  longest: gauge(
    "workqueue_longest_running_processor_seconds",
    ["name"],
    "Age of the oldest work in progress.",
  ),
  reconciles: counter(
    "controller_runtime_reconcile_total",
    ["controller", "result"],
    "Reconciles, by how they ended: success, requeue_after, error.",
  ),
  reconcileErrors: counter(
    "controller_runtime_reconcile_errors_total",
    ["controller"],
    "Reconciles that failed and are tried again.",
  ),
  reconcileTime: histogram("controller_runtime_reconcile_time_seconds", ["controller"], {
    help: "How long a reconcile took.",
    buckets: WORK_BUCKETS,
  }),
  activeWorkers: gauge("controller_runtime_active_workers", ["controller"], "Workers at work."),
  workers: gauge("controller_runtime_max_concurrent_reconciles", ["controller"], "Workers there are."),
  requests: counter(
    "rest_client_requests_total",
    ["code", "method", "host"],
    "Requests to the API server, by the status of the answer; <error> = no answer.",
  ),
  leader: gauge(
    "leader_election_master_status",
    ["name"],
    "1 on the leader, 0 on a standby; name is the lease.",
  ),

  reflectorLists: counter("harvest_reflector_lists_total", ["name"], "Full lists begun."),
  reflectorWatches: counter("harvest_reflector_watches_total", ["name"], "Watches begun."),
  reflectorEvents: counter(
    "harvest_reflector_events_total",
    ["name"],
    "Events of watches, bookmarks not counted.",
  ),
  reflectorStale: counter("harvest_reflector_stale_events_total", ["name"], "Events that told nothing new."),
  reflectorRestarts: counter(
    "harvest_reflector_restarts_total",
    ["name", "reason"],
    "Ends of lists and watches, by reason; closed is the normal end.",
  ),
  reflectorCallbacks: counter(
    "harvest_reflector_callback_failures_total",
    ["name"],
    "Changes whose handling threw: a fault of the controller.",
  ),
  reflectorObjects: gauge("harvest_reflector_objects", ["name"], "Objects in the cache."),
  reflectorFailures: gauge(
    "harvest_reflector_consecutive_failures",
    ["name"],
    "Failures in a row; 0 = healthy.",
  ),
  reflectorSilent: gauge(
    "harvest_reflector_silent_seconds",
    ["name"],
    "Time since the last sign of life of the list or watch.",
  ),
  reflectorSynced: gauge("harvest_reflector_synced", ["name"], "1 when the first full list is in the cache."),

  sources: gauge("harvest_sources", [], "HarvestSources there are."),
  sourcesBehind: gauge(
    "harvest_sources_behind",
    [],
    "HarvestSources whose latest spec the controller has not looked at yet.",
  ),
  folded: gauge(
    "harvest_source_folded",
    [],
    'HarvestSources without series of their own; they are summed in name="_other".',
  ),
  lag: gauge(
    "harvest_source_lag_seconds",
    SOURCE,
    "Age of the watermark: everything before it is committed. _other: the largest.",
  ),
  lastSuccess: gauge(
    "harvest_source_last_success_timestamp_seconds",
    SOURCE,
    "When the last complete run ended. _other: the earliest.",
  ),
  failures: gauge("harvest_source_consecutive_failures", SOURCE, "Runs since the last complete one."),
  records: gauge("harvest_source_records", SOURCE, "Records in the catalogue."),
  quarantined: gauge("harvest_source_quarantined", SOURCE, "Records in quarantine."),
  condition: gauge(
    "harvest_source_condition",
    [...SOURCE, "type", "status"],
    "1 for the present status of each condition. _other: how many sources have it.",
  ),
  drifted: gauge(
    "harvest_source_drifted",
    SOURCE,
    "1 while spec differs from what was delivered. _other: how many do.",
  ),

  runs: counter("harvest_runs_total", ["outcome"], "Runs that ended, of all sources."),
  runRecords: counter(
    "harvest_run_records_total",
    ["action"],
    "Records of runs that ended, by what was done with them.",
  ),
  drift: counter(
    "harvest_drift_total",
    ["action"],
    "Drift of sources found, by what was done: revert, warn.",
  ),
  repaired: counter(
    "harvest_children_repaired_total",
    ["kind"],
    "Children put back after somebody changed or deleted them.",
  ),
  events: counter(
    "harvest_events_total",
    ["outcome"],
    "Events by what became of them: written, or dropped because one object said too much (spam), too many waited (full), the API server refused (failed).",
  ),
} as const satisfies Readonly<Record<string, Definition>>;

export type MetricId = keyof typeof definitions;

/** Those of single sources: made anew for every scrape. */
export const sourceMetrics = [
  "lag",
  "lastSuccess",
  "failures",
  "records",
  "quarantined",
  "condition",
  "drifted",
] as const satisfies readonly MetricId[];

export type SourceMetricId = (typeof sourceMetrics)[number];
/** Those that are kept between scrapes. */
export type KeptMetricId = Exclude<MetricId, SourceMetricId>;

/** Label values that are there from the start, so that the first increase is seen as one. */
export const knownValues = {
  results: ["success", "requeue_after", "error"],
  outcomes: ["complete", "partial", "failed", "refused", "interrupted"],
  actions: ["read", "inserted", "updated", "withdrawn", "unchanged", "quarantined"],
  driftActions: ["revert", "warn"],
  kinds: ["CronJob", "ConfigMap", "NetworkPolicy"],
  events: ["written", "spam", "full", "failed"],
} as const;
