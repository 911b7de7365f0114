/** One list or one watch, from its beginning to its end. What happens after is decided in watch-loop-decision.ts. */
import type { ListOptions, ObjectList } from "../api.js";
import type { Clock } from "../clock.js";
import type { KubeObject } from "../object.js";
import type { Resource } from "../resources.js";
import { createWatchdog } from "./silence-watchdog.js";
import type { Ended } from "./watch-loop-decision.js";
import { endedByError, endedByErrorEvent } from "./watch-loop-ended.js";
import type { WatchEvent, WatchSource } from "./watch-source.js";

export interface Scope {
  readonly source: WatchSource;
  readonly resource: Resource;
  readonly selection: Pick<ListOptions, "namespace" | "labelSelector" | "fieldSelector">;
  readonly clock: Clock;
}

export interface ListAttempt {
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** The list, or how it ended without one. Never rejects; an answer after the limit or the abort is dropped. */
export async function listOnce(scope: Scope, { limitMs, signal }: ListAttempt): Promise<ObjectList | Ended> {
  const { source, resource, selection, clock } = scope;
  return race<ObjectList | Ended>(signal, (end) => {
    const cancel = clock.after(limitMs, () => {
      end({ what: "list", how: "silent" });
    });
    ask(source, resource, selection).then(end, (error: unknown) => {
      end(endedByError("list", error));
    });
    return cancel;
  });
}

/** Also what a source throws before it has a promise becomes an end. */
async function ask(
  source: WatchSource,
  resource: Resource,
  selection: Scope["selection"],
): Promise<ObjectList> {
  return source.list(resource, selection);
}

export interface WatchAttempt {
  readonly resourceVersion: string;
  readonly timeoutSeconds: number;
  readonly silenceMs: number;
  /** Until the periodic list. */
  readonly relistInMs: number;
  readonly signal: AbortSignal;
  /** The server has accepted the watch. */
  onAccepted(): void;
  /** Bytes, or an answer. */
  onHeard(): void;
  /** An event of an object with a name and a version. */
  onObject(event: WatchEvent): void;
  /** How far the stream has come, by a bookmark. */
  onBookmark(resourceVersion: string): void;
}

/** How the watch ended. Never rejects; after it is answered none of the callbacks is called any more, whatever arrives. */
export async function watchOnce(scope: Scope, attempt: WatchAttempt): Promise<Ended> {
  const connection = new AbortController();
  return race<Ended>(attempt.signal, (end) => {
    const watchdog = createWatchdog(scope.clock, attempt.silenceMs, () => {
      end({ what: "watch", how: "silent" });
    });
    const cancelRelist = scope.clock.after(attempt.relistInMs, () => {
      end({ what: "watch", how: "relist-due" });
    });
    function heard(): void {
      if (connection.signal.aborted) return;
      watchdog.heard();
      attempt.onHeard();
    }
    follow(scope, { ...attempt, signal: connection.signal, onHeard: heard }).then(end, (error: unknown) => {
      end(endedByError("watch", error));
    });
    return () => {
      watchdog.stop();
      cancelRelist();
      connection.abort();
    };
  });
}

/** Reads the stream until it ends; throws what the source throws. */
async function follow({ source, resource, selection }: Scope, attempt: WatchAttempt): Promise<Ended> {
  const { resourceVersion, timeoutSeconds, signal } = attempt;
  const stream = await source.watch(resource, {
    ...selection,
    resourceVersion,
    timeoutSeconds,
    signal,
    onBytes: attempt.onHeard,
  });
  if (!signal.aborted) attempt.onAccepted();
  for await (const event of stream) {
    if (signal.aborted) break;
    attempt.onHeard();
    const ended = take(event, attempt);
    if (ended !== undefined) return ended;
  }
  return { what: "watch", how: "closed" };
}

function take(event: WatchEvent, attempt: WatchAttempt): Ended | undefined {
  if (event.type === "ERROR") return endedByErrorEvent(event.object);
  if (event.type === "BOOKMARK") {
    const version = versionOf(event.object);
    if (version !== undefined) attempt.onBookmark(version);
    return undefined;
  }
  if (!isObject(event.object)) return { what: "watch", how: "confused" };
  attempt.onObject(event);
  return undefined;
}

/** What the server sends is not trusted to be an object of Kubernetes: without a name and a version it cannot be kept. */
export function isObject(object: KubeObject | null | undefined): object is KubeObject {
  return versionOf(object) !== undefined && isText(object?.metadata.name);
}

function versionOf(object: Partial<KubeObject> | null | undefined): string | undefined {
  const version: unknown = object?.metadata?.resourceVersion;
  return isText(version) ? version : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/**
 * Settles with the first end; what `begin` answered is called in the same instant, so that nothing of this attempt is
 * heard of after its end. Aborted is the end "closed": whoever aborts does not ask.
 */
async function race<T>(
  signal: AbortSignal,
  begin: (end: (how: T) => void) => () => void,
): Promise<T | Ended> {
  return new Promise<T | Ended>((resolve) => {
    let over = signal.aborted;
    let cleanUp: (() => void) | undefined;
    function end(how: T | Ended): void {
      if (over) return;
      over = true;
      signal.removeEventListener("abort", onAbort);
      cleanUp?.();
      resolve(how);
    }
    function onAbort(): void {
      end({ what: "watch", how: "closed" });
    }
    if (over) resolve({ what: "watch", how: "closed" });
    else {
      signal.addEventListener("abort", onAbort, { once: true });
      cleanUp = begin(end);
    }
  });
}
