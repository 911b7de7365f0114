/**
 * Lists and watches that do exactly what a test says, when it says so. Deaf on purpose: an aborted list or watch goes on
 * as if nothing had happened, as a connection does whose other end is gone.
 */
import type { ListOptions, ObjectList } from "../../controller/api.js";
import type { WatchEvent, WatchOptions, WatchSource } from "../../controller/cluster/watch-source.js";
import type { KubeObject } from "../../controller/object.js";
import type { Resource } from "../../controller/resources.js";

export interface ScriptedList {
  readonly resource: Resource;
  readonly options: ListOptions;
  answer(resourceVersion: string, items: readonly KubeObject[]): void;
  fail(error: unknown): void;
}

export interface ScriptedWatch {
  readonly resource: Resource;
  readonly options: WatchOptions;
  accept(): void;
  /** Instead of accepting. */
  refuse(error: unknown): void;
  send(...events: readonly WatchEvent[]): void;
  /** A chunk that is no whole line. */
  bytes(): void;
  /** The server's orderly end. */
  end(): void;
  cut(error: unknown): void;
  /** The reader has left. */
  readonly left: boolean;
}

export interface ScriptedSource extends WatchSource {
  readonly lists: readonly ScriptedList[];
  readonly watches: readonly ScriptedWatch[];
}

export function scriptedSource(): ScriptedSource {
  const lists: ScriptedList[] = [];
  const watches: ScriptedWatch[] = [];
  return {
    lists,
    watches,
    list: (resource, options = {}) =>
      new Promise<ObjectList>((resolve, reject) => {
        lists.push({
          resource,
          options,
          answer: (resourceVersion, items) => {
            resolve({ resourceVersion, items });
          },
          fail: reject,
        });
      }),
    watch: (resource, options) =>
      new Promise((resolve, reject) => {
        const stream = scriptedStream();
        watches.push({
          resource,
          options,
          accept: () => {
            resolve(stream.events);
          },
          refuse: reject,
          send: (...events) => {
            for (const event of events) stream.push({ value: event });
          },
          bytes: () => options.onBytes?.(),
          end: () => {
            stream.push({ done: true });
          },
          cut: (error) => {
            stream.push({ error });
          },
          get left() {
            return stream.left();
          },
        });
      }),
  };
}

type Step = { readonly value: WatchEvent } | { readonly done: true } | { readonly error: unknown };

function scriptedStream(): {
  readonly events: AsyncIterable<WatchEvent>;
  push(step: Step): void;
  left(): boolean;
} {
  const steps: Step[] = [];
  let wake = (): void => undefined;
  let left = false;
  async function* read(): AsyncGenerator<WatchEvent, void, undefined> {
    try {
      for (;;) {
        const step = steps.shift();
        if (step === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else if ("value" in step) yield step.value;
        else if ("error" in step) throw step.error;
        else return;
      }
    } finally {
      left = true;
    }
  }
  return {
    events: read(),
    push: (step) => {
      steps.push(step);
      wake();
    },
    left: () => left,
  };
}
