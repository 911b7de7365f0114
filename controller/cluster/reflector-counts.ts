/** What one reflector has done since it began, for metrics. */
import type { RestartReason } from "./watch-loop-decision.js";

export interface ReflectorCounts {
  /** Lists begun, paged ones once. */
  readonly lists: number;
  /** Watches begun. */
  readonly watches: number;
  /** Events of watches, bookmarks not counted. */
  readonly events: number;
  /** Events that told nothing new: older than what was known, or known already. */
  readonly staleEvents: number;
  /** Changes handed to onChange. */
  readonly changes: number;
  /** Exceptions of onChange or onState. */
  readonly callbackFailures: number;
  /** Ends of lists and watches, by what they led to; the normal ends of watches ("closed") among them. */
  readonly restarts: Readonly<Partial<Record<RestartReason, number>>>;
}

type Plain = Exclude<keyof ReflectorCounts, "restarts">;

export interface Counter {
  add(what: Plain): void;
  restart(reason: RestartReason): void;
  read(): ReflectorCounts;
}

export function createCounter(): Counter {
  const plain: Record<Plain, number> = {
    lists: 0,
    watches: 0,
    events: 0,
    staleEvents: 0,
    changes: 0,
    callbackFailures: 0,
  };
  const restarts: Partial<Record<RestartReason, number>> = {};
  return {
    add: (what) => {
      plain[what] += 1;
    },
    restart: (reason) => {
      restarts[reason] = (restarts[reason] ?? 0) + 1;
    },
    read: () => ({ ...plain, restarts: { ...restarts } }),
  };
}
