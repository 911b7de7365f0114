/** What a reflector says about itself. */
import type { Key } from "../object.js";
import type { ReflectorCounts } from "./reflector-counts.js";
import type { Ended, Next } from "./watch-loop-decision.js";

export interface ReflectorState {
  readonly phase: "new" | "listing" | "watching" | "waiting" | "stopped";
  readonly synced: boolean;
  readonly objects: number;
  /** Failures in a row; 0 = healthy. */
  readonly failures: number;
  readonly resourceVersion?: string;
  /** Last bytes or answer of the API server. */
  readonly lastHeard?: Date;
  /** Milliseconds since the last bytes, answer or end of an attempt: the loop itself is stuck when this is much more than the silence limit. */
  readonly idleMs: number;
  /** Why the last list or watch ended. */
  readonly lastEnd?: Ended;
  readonly counts: ReflectorCounts;
}

/** For the log; `first` = synced from now on. */
export type ReflectorNote =
  | {
      readonly kind: "listed";
      readonly first: boolean;
      readonly objects: number;
      readonly changes: number;
      readonly resourceVersion: string;
    }
  | { readonly kind: "watching"; readonly resourceVersion: string }
  | { readonly kind: "ended"; readonly ended: Ended; readonly next: Next }
  | { readonly kind: "callback-failed"; readonly key: Key; readonly error: unknown };
