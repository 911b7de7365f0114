/** Lists and watches of one kind: what a reflector is built on. Implemented by client.ts. */
import type { ListOptions, ObjectList } from "../api.js";
import type { KubeObject } from "../object.js";
import type { Resource } from "../resources.js";

/** One line of a watch. The object of an ERROR is a Status (410 Expired comes this way); of a BOOKMARK only metadata.resourceVersion counts. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: KubeObject;
}

export interface WatchOptions {
  /** Absent = all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion: string;
  /** After which the server ends the stream by itself. */
  readonly timeoutSeconds: number;
  /** Ends the request or the stream; the iteration then throws ApiFault with status 0 and reason Aborted. */
  readonly signal: AbortSignal;
  /** Called for every chunk that arrives, whole line or not: a sign of life. */
  onBytes?(): void;
}

export interface WatchSource {
  list(resource: Resource, options?: ListOptions): Promise<ObjectList>;
  /**
   * Resolves when the server has accepted the watch. Throws ApiFault for an answer that is no success (410 Expired among
   * them) without retrying it; so does the iteration when the stream is cut or a line is no event. Ends quietly when the server closes.
   */
  watch(resource: Resource, options: WatchOptions): Promise<AsyncIterable<WatchEvent>>;
}
