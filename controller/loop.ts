/** The loop: changes in, keys to the queue, one reconcile for each key. Reads from the start; writes only while it leads. */
import type { Api } from "./api.js";
import type { Clock } from "./clock.js";
import { createReflectors, type Reflectors, type Who } from "./cluster/reflector-set.js";
import type { ReflectorLimits } from "./cluster/reflector-options.js";
import type { ReflectorNote } from "./cluster/reflector-state.js";
import type { WatchSource } from "./cluster/watch-source.js";
import { hostIndex } from "./host-index.js";
import { keyOf, type Key, type LiveSource } from "./object.js";
import { createWorkQueue, type QueueHooks, type WorkQueue } from "./queue/work-queue.js";
import { recentWrites } from "./recent-writes.js";
import { reconcile, type ReconcileContext } from "./reconcile.js";
import type { ReportContext } from "./report.js";
import type { Settings } from "./settings.js";
import { changeOf, kept, listersOf, type StoreName } from "./stores.js";
import { triggered } from "./triggers.js";

export interface LoopOptions extends Pick<ReportContext, "recordEvent" | "onStep" | "onRuns" | "onDrift"> {
  readonly api: Api & WatchSource;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: () => number;
  readonly hooks?: QueueHooks;
  readonly limits?: Partial<ReflectorLimits>;
  onReflector?(who: Who<StoreName>, note: ReflectorNote): void;
}

export interface Loop {
  readonly reflectors: Reflectors<StoreName>;
  readonly queue: WorkQueue;
  /** All sources as the cache has them. */
  sources(): readonly LiveSource[];
  /** Fills the caches; for leaders and standbys. */
  start(signal: AbortSignal): void;
  /** Reconciles until the signal; resolves when no work is in progress. */
  lead(signal: AbortSignal): Promise<void>;
}

export function createLoop(options: LoopOptions): Loop {
  const { api, settings, clock, random } = options;
  const hosts = hostIndex();
  const queue = createWorkQueue({ clock, random, ...(options.hooks && { hooks: options.hooks }) });
  const reflectors: Reflectors<StoreName> = createReflectors<StoreName>({
    source: api,
    clock,
    random,
    keep: kept,
    namespaces: settings.watchNamespaces,
    ...(options.limits && { limits: options.limits }),
    onChange: (change) => {
      const keys = triggered(changeOf(change), { hosts, sourcesIn });
      for (const key of keys) queue.add(key);
    },
    ...(options.onReflector && { onState: options.onReflector }),
  });

  function sourcesIn(namespace?: string): readonly Key[] {
    return reflectors.lister("sources").list(namespace).map(keyOf);
  }

  const context = reconcileContext(options, { listers: listersOf(reflectors), hosts });
  return {
    reflectors,
    queue,
    sources: () => reflectors.lister("sources").list() as readonly LiveSource[],
    start: (signal) => {
      reflectors.start(signal);
    },
    lead: async (signal) => {
      // Nothing is decided on absence before everything that is there was seen.
      const synced = await untilSynced(reflectors, signal);
      if (!synced) return;
      for (const key of sourcesIn()) queue.add(key);
      await queue.run(settings.workers, (key) => reconcile(key, context), signal);
    },
  };
}

/** False when it was stopped before everything was listed: an end like any other. */
async function untilSynced(reflectors: Reflectors<StoreName>, signal: AbortSignal): Promise<boolean> {
  try {
    await reflectors.synced;
  } catch (problem) {
    if (!signal.aborted) throw problem;
  }
  return !signal.aborted;
}

function reconcileContext(
  options: LoopOptions,
  reading: Pick<ReconcileContext, "listers" | "hosts">,
): ReconcileContext {
  return {
    ...options,
    ...reading,
    writes: recentWrites(),
    bundleName: options.settings.render.bundleName,
    now: () => new Date(options.clock.now()),
  };
}
