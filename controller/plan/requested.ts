import type { RunsRead } from "../run.js";

/** What becomes of a run somebody asked for with the annotation requestedAt. */
export type RequestDecision =
  | { readonly kind: "none" }
  /** One Job at once; the value is echoed in status.lastHandledRequestedAt. */
  | { readonly kind: "run"; readonly value: string }
  /** Two runs of a source would only wait for one another: it begins when the one on its way has ended. */
  | { readonly kind: "wait"; readonly value: string }
  /** The brake wins; asking again after it was taken off makes a run. */
  | { readonly kind: "refuse"; readonly value: string; readonly sentence: string };

export interface RequestFacts {
  /** The annotation's value, when it was not acted on yet. */
  readonly value?: string;
  /** Why nothing may run: paused, suspended or stalled. */
  readonly held?: string;
  readonly active: RunsRead["active"];
  /** Its Job is there: this process or the one before was stopped before it could say so in the status. */
  readonly started?: boolean;
}

export function decideRequest({ value, held, active, started = false }: RequestFacts): RequestDecision {
  if (value === undefined) return { kind: "none" };
  if (started) return { kind: "run", value };
  if (held !== undefined)
    return { kind: "refuse", value, sentence: `The run asked for with "${value}" was not started: ${held}` };
  return active.length > 0 ? { kind: "wait", value } : { kind: "run", value };
}
