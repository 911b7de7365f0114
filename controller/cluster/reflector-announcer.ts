/** Calls what others handed in: nothing they throw may end a watch, and nothing is told after the end. */
import type { Key } from "../object.js";
import type { Change, Keyed } from "./cache.js";
import type { Counter } from "./reflector-counts.js";
import type { ReflectorNote } from "./reflector-state.js";

export interface Announcer {
  changes(changes: readonly Keyed[]): void;
  note(note: ReflectorNote): void;
}

export function createAnnouncer(
  to: {
    readonly onChange: (key: Key, change: Change) => unknown;
    readonly onState?: ((note: ReflectorNote) => unknown) | undefined;
  },
  counter: Counter,
  signal: AbortSignal,
): Announcer {
  function failed(key: Key, error: unknown): void {
    counter.add("callbackFailures");
    note({ kind: "callback-failed", key, error });
  }

  function note(said: ReflectorNote): void {
    if (signal.aborted) return;
    guarded(
      () => to.onState?.(said),
      () => {
        counter.add("callbackFailures");
      },
    );
  }

  function changes(all: readonly Keyed[]): void {
    for (const { key, change } of all) {
      // A callback may stop the reflector.
      if (signal.aborted) return;
      counter.add("changes");
      guarded(
        () => to.onChange(key, change),
        (error) => {
          failed(key, error);
        },
      );
    }
  }

  return { changes, note };
}

/** Also of an asynchronous function, whose exception would otherwise end the process. */
function guarded(call: () => unknown, onError: (error: unknown) => void): void {
  try {
    const answer = call();
    if (answer instanceof Promise) answer.catch(onError);
  } catch (error) {
    onError(error);
  }
}
