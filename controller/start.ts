/** One controller put together: connection, election, loop, Git sync, health page. Wiring only. */
import { contentHash } from "./drift/content-hash.js";
import { recogniseDelivery } from "./drift/recognise-delivery.js";
import type { ControllerConfig } from "../source/controller-config/controller-config.js";
import { systemClock } from "./clock.js";
import { createApi, type ClusterApi } from "./cluster/client.js";
import type { Connection } from "./cluster/connection.js";
import { standardLimits, type ReflectorLimits } from "./cluster/reflector-options.js";
import { runElection } from "./election/run-election.js";
import type { Election } from "./election/election.js";
import { createEventRecorder, type EventRecorder } from "./events/event-recorder.js";
import { gitSyncSettings } from "./git-sync-config.js";
import { runGitSync } from "./git-sync/git-sync.js";
import { startHealthServer, type HealthServer } from "./health/health-server.js";
import type { Log } from "./log.js";
import { createLoop, type Loop } from "./loop.js";
import { createMetrics, type Metrics } from "./metrics/metrics.js";
import type { SourceReading } from "./metrics/source-series.js";
import { manager } from "./names.js";
import type { LiveSource } from "./object.js";
import { observe } from "./observe.js";
import type { Settings } from "./settings.js";

export interface ControllerParts {
  readonly connection: Connection;
  readonly config: ControllerConfig;
  readonly settings: Settings;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Shorter ones for tests. */
  readonly limits?: Partial<ReflectorLimits>;
  /** Another may lead by now: the process must end at once. */
  onLost(sentence: string): void;
}

/** Requests of the elector never wait behind the loop's: a lease that is renewed late is lost. */
const LEASE_REQUEST_MS = 4_000;
const LEASE_TRANSPORT = {
  headersMs: LEASE_REQUEST_MS,
  attemptMs: LEASE_REQUEST_MS,
  retry: { maxAttempts: 2, totalMs: 5_000 },
};
const EVENT_RATE = { perSecond: 10, burst: 50 };
const FLUSH_MS = 5_000;
const MAX_WARNINGS = 1_000;
const IDLE = { depth: 0, working: 0, unfinishedSeconds: 0, longestSeconds: 0 };

/** Filled in as the parts come to be; the health page and the metrics look into it. */
interface Running {
  loop?: Loop;
  election?: Election;
}

/** Resolves after the signal, when the work in progress is done and the lease given back. */
export async function runController(parts: ControllerParts): Promise<void> {
  const { connection, settings, log, signal } = parts;
  const running: Running = {};
  const metrics = metricsOf(parts, running);
  const api = loopApi(parts, { metrics, running });
  const events = eventsOf(parts, metrics);
  const loop = createLoop({
    api,
    settings,
    clock: systemClock,
    random: Math.random,
    ...(parts.limits && { limits: parts.limits }),
    ...observe({ log, events, metrics }),
  });
  running.loop = loop;
  const health = await healthPage(parts, { running, metrics });
  log.info("Started.", { port: health.port, server: connection.server.origin, identity: settings.identity });
  loop.start(signal);
  running.election = elect(parts, { api, loop });
  await running.election.ended;
  loop.reflectors.stop();
  await events.flush(FLUSH_MS);
  await health.close();
}

/** A process that slept, or whose machine did, finds the answers of its requests before it finds that its lease is gone. */
function loopApi(
  { connection, config, log }: ControllerParts,
  { metrics, running }: { readonly metrics: Metrics; readonly running: Running },
): ClusterApi {
  const warned = new Set<string>();
  return createApi(connection, {
    rateLimit: { perSecond: config.api.requestsPerSecond, burst: config.api.burst },
    observeRequest: metrics.request,
    mayWrite: () => running.election?.status().leading === true,
    onWarning: (text) => {
      // The same text comes with every request of its kind.
      if (warned.has(text) || warned.size >= MAX_WARNINGS) return;
      warned.add(text);
      log.warn(`The API server warns: ${text}`);
    },
  });
}

function metricsOf({ settings, connection }: ControllerParts, running: Running): Metrics {
  return createMetrics({
    controller: "harvestsource",
    workers: settings.workers,
    leaseName: settings.election.leaseName,
    host: connection.server.host,
    clock: systemClock,
    read: {
      sources: () => (running.loop?.sources() ?? []).map(sourceReading),
      queue: () => running.loop?.queue.snapshot() ?? IDLE,
      reflectors: () => running.loop?.reflectors.states() ?? [],
      leading: () => running.election?.status().leading ?? false,
    },
  });
}

function sourceReading({ metadata, status }: LiveSource): SourceReading {
  const { namespace = "", name, generation } = metadata;
  return { namespace, name, status, generation };
}

/** The last events are written when the lease has been given back. */
function eventsOf({ connection, settings, log }: ControllerParts, metrics: Metrics): EventRecorder {
  return createEventRecorder({
    api: createApi(connection, { rateLimit: EVENT_RATE, observeRequest: metrics.request }),
    clock: systemClock,
    reporter: { component: manager, instance: settings.identity },
    onWritten: () => {
      metrics.event("written");
    },
    onDropped: (reason, problem) => {
      metrics.event(reason);
      if (problem !== undefined) log.warn("An event could not be written.", { problem });
    },
  });
}

function healthPage(
  { settings, limits, log }: ControllerParts,
  { running, metrics }: { readonly running: Running; readonly metrics: Metrics },
): Promise<HealthServer> {
  return startHealthServer({
    port: settings.port,
    limits: {
      silentMs: 2 * (limits?.silenceMs ?? standardLimits.silenceMs),
      leaseMs: settings.election.leaseSeconds * 1000,
    },
    vitals: () => ({
      reflectors: (running.loop?.reflectors.states() ?? []).map(({ name, state }) => ({ name, ...state })),
      ...(running.election && { election: running.election.status() }),
    }),
    metrics: () => metrics.exposition(),
    onFault: (problem) => {
      log.warn("The health page failed.", { problem });
    },
  });
}

function elect(
  parts: ControllerParts,
  { api, loop }: { readonly api: ClusterApi; readonly loop: Loop },
): Election {
  const { connection, settings, log, signal, onLost } = parts;
  return runElection(
    {
      api: createApi(connection, LEASE_TRANSPORT),
      settings: settings.election,
      namespace: settings.namespace,
      identity: settings.identity,
      clock: systemClock,
      random: Math.random,
      onLeading: async (leading) => {
        log.info("Leading.", { identity: settings.identity });
        await Promise.all([loop.lead(leading), syncGit(parts, api, leading)]);
      },
      onLost,
      onNewLeader: (holder) => {
        log.info("There is a new leader.", { leader: holder });
      },
      onFault: (problem) => {
        log.warn("The lease could not be read or written.", { problem });
      },
    },
    signal,
  );
}

async function syncGit(
  { config, settings, log }: ControllerParts,
  api: ClusterApi,
  signal: AbortSignal,
): Promise<void> {
  if (config.gitSync === undefined) return;
  await runGitSync(
    {
      api,
      settings: gitSyncSettings(config.gitSync),
      namespace: settings.namespace,
      judge: { contentHash, engineOf: (live) => recogniseDelivery(live, settings.drift)?.engine },
      now: () => new Date(systemClock.now()),
      random: Math.random,
      report: (result) => {
        log[result.kind === "synced" ? "info" : "error"](`Git sync: ${result.sentence}`);
      },
    },
    signal,
  );
}
