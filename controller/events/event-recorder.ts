/** Tells people in the cluster what happened to an object: `kubectl describe` shows it. */
import type { Clock } from "../clock.js";
import { decideEvent, type ObjectHistory } from "./decide-event.js";
import { EventWriter, type DropReason, type EventApi } from "./event-writer.js";
import { namespaceOf, type Occurrence, type Reporter } from "./occurrence.js";

export interface EventRecorderOptions {
  readonly api: EventApi;
  readonly clock: Clock;
  readonly reporter: Reporter;
  /** Events that may wait to be written; default 1,000. */
  readonly room?: number;
  /** Objects whose events are remembered; default 4,096, the one not heard of for longest is forgotten. */
  readonly objects?: number;
  onWritten?(): void;
  onDropped?(reason: DropReason, problem?: unknown): void;
}

export interface EventRecorder {
  /** Never waits, never throws: what cannot be told is counted (onDropped). */
  record(occurrence: Occurrence): void;
  /** For the end of the program: resolves when all is written, or after `ms`. */
  flush(ms: number): Promise<void>;
}

export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { room = 1_000, objects = 4_096, ...rest } = options;
  const writer = new EventWriter({ ...rest, room });
  const memory = new Map<string, ObjectHistory>();

  function record(occurrence: Occurrence): void {
    const key = memoryKey(occurrence.object);
    const { history, outcome } = decideEvent(memory.get(key), occurrence, options.clock.now());
    memory.delete(key);
    memory.set(key, history);
    if (memory.size > objects) forgetOldest(memory);
    if (outcome.kind === "drop") options.onDropped?.("spam");
    else writer.put(outcome.state, outcome.kind === "update");
  }

  return { record, flush: (ms) => writer.flush(ms) };
}

/** Another life of a name is another object. */
function memoryKey(object: Occurrence["object"]): string {
  return [object.kind, namespaceOf(object), object.metadata.name, object.metadata.uid ?? ""].join("\n");
}

function forgetOldest(memory: Map<string, ObjectHistory>): void {
  for (const key of memory.keys()) {
    memory.delete(key);
    return;
  }
}
