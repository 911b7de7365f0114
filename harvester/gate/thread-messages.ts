/** What a gate thread and the pool say to each other. One answer per job, in the order of the jobs. */
import type { Verdict } from "../record.js";
import type { GateJob, GatePolicy } from "./gate.js";

/** workerData: the mark keeps any other thread that loads the file from serving. */
export interface ThreadStart {
  readonly role: "harvest-gate";
  readonly policy: GatePolicy;
}

export type ToThread = GateJob;

export type FromThread =
  | { readonly kind: "ready" }
  /** The policy cannot be compiled: a sentence with file and line. */
  | { readonly kind: "unusable"; readonly sentence: string }
  | { readonly kind: "verdict"; readonly verdict: Verdict }
  /** The engine trapped on the job: this thread answers nothing any more. */
  | { readonly kind: "poisoned"; readonly reason: string };
