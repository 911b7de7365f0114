import type { HarvestSource } from "../../source/harvest-source.generated.js";
import type { Gates } from "../gate/gate.js";
import type { HttpRequest, HttpResponse } from "../http.js";
import type { RunStore, Store } from "../persist/store.js";
import type { Protocol } from "../protocols/protocol.js";
import type { Observer } from "../report/events.js";

/** Time and chance, handed in, so that a run can be repeated in a test. */
export interface Clock {
  now(): Date;
  /** Rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** From 0 (included) to 1 (excluded). */
  random(): number;
}

/** The parts of one run, wired by harvester/assemble.ts. */
export interface Run {
  readonly runId: string;
  /** Who runs: host/pid/start time, or the pod's uid. */
  readonly holder: string;
  readonly source: HarvestSource;
  /** What the store calls it; absent = its name. A cluster adds the namespace, where two sources may have one name. */
  readonly sourceKey?: string | undefined;
  readonly policyDigest: string;
  readonly protocol: Protocol;
  readonly client: { send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> };
  readonly gates: Gates;
  readonly store: Store;
  readonly clock: Clock;
  readonly observe: Observer;
  /** Aborted by SIGINT, SIGTERM and maxRunSeconds: the batch under way is finished, nothing new is asked. */
  readonly signal: AbortSignal;
  /** Stop after this many records (dry-run); then no watermark moves and nothing is withdrawn. */
  readonly limit?: number;
  /** Requests this source may have in flight, over all processes: the lower of manifest and ceiling. */
  readonly maxInFlight: number;
}

/** A run that holds its source. */
export interface OpenRun extends Run {
  readonly ledger: RunStore;
  readonly startedAt: Date;
  /** How many more records of the source may be read; counted down over all its sets and windows. */
  readonly quota: { left: number };
}
