/**
 * Keeps a cache of one kind equal to what the API server has, whatever happens to connection and server, and tells what
 * changed. Lists, then watches from there for ever (conventions 24-27). Level-triggered: states in between may be missed,
 * the last one never is.
 */
import type { Lister, ObjectList } from "../api.js";
import { pause } from "./backoff-pause.js";
import { compareVersions } from "./cache-version.js";
import { createCache, type Cache } from "./cache.js";
import { createAnnouncer, type Announcer } from "./reflector-announcer.js";
import { createCounter } from "./reflector-counts.js";
import { ReflectorHealth } from "./reflector-health.js";
import { standardLimits, type ReflectorLimits, type ReflectorOptions } from "./reflector-options.js";
import type { ReflectorState } from "./reflector-state.js";
import type { Ended, Next } from "./watch-loop-decision.js";
import { isObject, listOnce, watchOnce, type Scope } from "./watch-loop.js";
import type { WatchEvent } from "./watch-source.js";

/** A list from the past is asked again so often; then it is the truth (etcd was restored from a backup). */
const STALE_LISTS = 3;

export interface Reflector {
  /** Once. Ends with `signal` or stop(). */
  start(signal: AbortSignal): void;
  hasSynced(): boolean;
  /** The first list is in the cache and told. Rejects when stopped before that. */
  readonly synced: Promise<void>;
  readonly lister: Lister;
  /** Last bytes or answer of the server, or beginning or end of an attempt. */
  lastActivity(): Date;
  state(): ReflectorState;
  /** Nothing is told any more from here on. The cache stays readable. */
  stop(): void;
}

export function createReflector(options: ReflectorOptions): Reflector {
  return new Loop(options);
}

class Loop implements Reflector {
  readonly synced: Promise<void>;
  readonly #options: ReflectorOptions;
  readonly #limits: ReflectorLimits;
  readonly #scope: Scope;
  readonly #cache: Cache;
  readonly #health: ReflectorHealth;
  readonly #announcer: Announcer;
  readonly #counter = createCounter();
  readonly #ending = new AbortController();
  #settle: (why?: Error) => void = () => undefined;
  #hasSynced = false;
  #phase: ReflectorState["phase"] = "new";
  /** Where a watch goes on from; undefined before the first list. */
  #version: string | undefined;
  #staleLists = 0;
  #relistAt = 0;

  constructor(options: ReflectorOptions) {
    const { source, resource, clock, namespace, labelSelector, fieldSelector } = options;
    this.#options = options;
    this.#limits = { ...standardLimits, ...options.limits };
    this.#scope = {
      source,
      resource,
      clock,
      selection: present({ namespace, labelSelector, fieldSelector }),
    };
    this.#cache = createCache(options);
    this.#health = new ReflectorHealth(clock);
    this.#announcer = createAnnouncer(options, this.#counter, this.#ending.signal);
    this.synced = new Promise((resolve, reject) => {
      this.#settle = (why) => {
        if (why === undefined) resolve();
        else reject(why);
      };
    });
    // Nobody need wait for it.
    this.synced.catch(() => undefined);
  }

  get lister(): Lister {
    return this.#cache.lister;
  }

  start(signal: AbortSignal): void {
    if (this.#phase !== "new") throw new Error("This reflector was started before; make a new one.");
    this.#phase = "waiting";
    signal.addEventListener("abort", () => this.stop(), { once: true, signal: this.#ending.signal });
    if (signal.aborted) this.stop();
    else void this.#run();
  }

  stop(): void {
    this.#phase = "stopped";
    this.#ending.abort();
    this.#settle(new Error("Stopped before the first list arrived."));
  }

  hasSynced(): boolean {
    return this.#hasSynced;
  }

  lastActivity(): Date {
    return this.#health.lastActivity();
  }

  state(): ReflectorState {
    return {
      phase: this.#phase,
      synced: this.#hasSynced,
      objects: this.#cache.size(),
      ...this.#health.read(),
      ...present({ resourceVersion: this.#version }),
      counts: this.#counter.read(),
    };
  }

  async #run(): Promise<void> {
    let next: Pick<Next, "kind" | "afterMs"> = { kind: "relist", afterMs: 0 };
    for (;;) {
      if (next.afterMs > 0) this.#phase = "waiting";
      await pause(this.#options.clock, next.afterMs, this.#ending.signal);
      if (this.#ending.signal.aborted) return;
      this.#health.begin();
      const version = next.kind === "relist" || this.#isRelistDue() ? undefined : this.#version;
      const ended = version === undefined ? await this.#list() : await this.#watch(version);
      if (this.#ending.signal.aborted) return;
      next = ended === undefined ? { kind: "resume", afterMs: 0 } : this.#decide(ended);
    }
  }

  #decide(ended: Ended): Next {
    const next = this.#health.end(ended, this.#options.random());
    this.#counter.restart(next.reason);
    this.#announcer.note({ kind: "ended", ended, next });
    return next;
  }

  async #list(): Promise<Ended | undefined> {
    this.#phase = "listing";
    this.#counter.add("lists");
    const answer = await listOnce(this.#scope, { limitMs: this.#limits.listMs, signal: this.#ending.signal });
    if (this.#ending.signal.aborted) return undefined;
    if ("how" in answer) return answer;
    this.#health.heard();
    if (!answer.items.every(isObject)) return { what: "list", how: "confused" };
    if (this.#isFromThePast(answer)) return { what: "list", how: "stale" };
    this.#takeIn(answer);
    return undefined;
  }

  #takeIn({ items, resourceVersion }: ObjectList): void {
    this.#staleLists = 0;
    this.#version = resourceVersion;
    const jitter = 0.9 + 0.2 * this.#options.random();
    this.#relistAt = this.#options.clock.elapsed() + this.#limits.relistMs * jitter;
    const changes = this.#cache.replace(items);
    this.#announcer.changes(changes);
    const first = !this.#hasSynced;
    this.#hasSynced = true;
    this.#settle();
    this.#announcer.note({
      kind: "listed",
      first,
      objects: items.length,
      changes: changes.length,
      resourceVersion,
    });
  }

  async #watch(resourceVersion: string): Promise<Ended> {
    this.#counter.add("watches");
    const { clock, random } = this.#options;
    return watchOnce(this.#scope, {
      resourceVersion,
      // Random, so that not all watches of all controllers end together.
      timeoutSeconds: 300 + Math.floor(random() * 301),
      silenceMs: this.#limits.silenceMs,
      relistInMs: this.#relistAt - clock.elapsed(),
      signal: this.#ending.signal,
      onAccepted: () => {
        this.#phase = "watching";
        this.#health.accepted();
        this.#announcer.note({ kind: "watching", resourceVersion });
      },
      onHeard: () => {
        this.#health.heard();
      },
      onObject: (event) => {
        this.#take(event);
      },
      onBookmark: (version) => {
        this.#moveTo(version);
      },
    });
  }

  #take({ type, object }: WatchEvent): void {
    this.#counter.add("events");
    const version = object.metadata.resourceVersion ?? "";
    if (this.#isPast(version)) {
      // Told by a server that lags behind: what it names may have been deleted since, and would rise again.
      this.#counter.add("staleEvents");
      return;
    }
    const changes = type === "DELETED" ? this.#cache.remove(object) : this.#cache.put(object);
    if (changes.length === 0) this.#counter.add("staleEvents");
    this.#moveTo(version);
    this.#announcer.changes(changes);
  }

  #moveTo(version: string): void {
    if (!this.#isPast(version)) this.#version = version;
  }

  /** Older than where we are: lists and watches of one kind go through one sequence of versions. */
  #isPast(version: string): boolean {
    const order = compareVersions(version, this.#version ?? "");
    return order !== undefined && order < 0;
  }

  #isFromThePast({ resourceVersion }: ObjectList): boolean {
    if (!this.#isPast(resourceVersion)) return false;
    this.#staleLists += 1;
    return this.#staleLists <= STALE_LISTS;
  }

  #isRelistDue(): boolean {
    return this.#options.clock.elapsed() >= this.#relistAt;
  }
}

/** Without the fields that are not there. */
function present<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const there = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
