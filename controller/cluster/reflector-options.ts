/** What a reflector is told to keep, and its limits of time. */
import type { Clock } from "../clock.js";
import type { Key, KubeObject } from "../object.js";
import type { Resource } from "../resources.js";
import type { Change } from "./cache.js";
import type { ReflectorNote } from "./reflector-state.js";
import type { WatchSource } from "./watch-source.js";

export interface ReflectorOptions {
  readonly source: WatchSource;
  readonly resource: Resource;
  /** Absent = all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly limits?: Partial<ReflectorLimits> | undefined;
  /** What is kept of an object, to bound memory; returns a new object. */
  readonly trim?: ((object: KubeObject) => KubeObject) | undefined;
  /** Freeze what is kept, for tests and development. */
  readonly freeze?: boolean | undefined;
  /** The cache is up to date when it is called. It should only note the key: the stream waits for it. */
  readonly onChange: (key: Key, change: Change) => void;
  readonly onState?: ((note: ReflectorNote) => void) | undefined;
}

export interface ReflectorLimits {
  /** No bytes for so long, and the connection is given up; more than twice the 60 s between two bookmarks. */
  readonly silenceMs: number;
  /** All pages of a list. */
  readonly listMs: number;
  /** A list finds what the watch may have missed; 10 % more or less. */
  readonly relistMs: number;
}

export const standardLimits: ReflectorLimits = { silenceMs: 150_000, listMs: 300_000, relistMs: 36_000_000 };
