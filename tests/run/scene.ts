/**
 * Whole runs in this process: a sandbox on a real socket, the real harvest, a store, and a clock in the test's hand, so
 * that an hour of asked-for quiet passes at once and every time in an expectation can be written by hand.
 */
import { join } from "node:path";
import { startSandbox, type Control, type Sandbox, type SandboxOptions } from "../../cli/sandbox/sandbox.js";
import { assemble, newRunId, type AssembledRun } from "../../harvester/assemble.js";
import { Fault } from "../../harvester/fault.js";
import { openClient } from "../../harvester/fetch/client.js";
import { harvest } from "../../harvester/harvest.js";
import type { LoggedRequest } from "../../cli/sandbox/http/request-log.js";
import { openMemoryStore } from "../../harvester/persist/memory-store.js";
import type { EndpointState, Store } from "../../harvester/persist/store.js";
import type { Cursor, StoredState } from "../../harvester/record.js";
import type { RunEvent } from "../../harvester/report/events.js";
import type { RunSummary } from "../../harvester/report/summary.js";
import type { Clock, Run } from "../../harvester/run/run.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { parseManifests } from "../../source/parse.js";

export const root = join(import.meta.dirname, "../..");

/** When every scene begins: past all generated datestamps, before any machine's clock. */
export const START = "2026-01-10T06:00:00Z";

type Tree = { readonly [key: string]: unknown };

/** A clock that moves only when somebody sleeps on it, or the test says so. */
export class HandClock implements Clock {
  #now = Date.parse(START);
  /** Every wait that was asked for, in ms. */
  readonly slept: number[] = [];

  now(): Date {
    return new Date(this.#now);
  }

  random(): number {
    return 0.5;
  }

  advance(seconds: number): void {
    this.#now += seconds * 1000;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    this.slept.push(milliseconds);
    this.#now += milliseconds;
    return Promise.resolve();
  }
}

export interface SceneWish {
  readonly sandbox?: Partial<SandboxOptions>;
  /** Generated records; default 30, three pages of ten. */
  readonly count?: number;
  readonly spec?: Tree;
  readonly store?: Store;
}

export interface RunWish {
  readonly spec?: Tree;
  readonly limit?: number;
  /** Ends the run as a signal would, as soon as this is true of an event. */
  readonly stopAt?: (event: RunEvent) => boolean;
}

export interface Ran extends RunSummary {
  readonly requests: readonly LoggedRequest[];
  /** Verbs in the order they were asked. */
  readonly verbs: readonly string[];
  readonly events: readonly RunEvent[];
  /** Codes of its warnings, sorted. */
  readonly warned: readonly string[];
}

export interface Scene {
  readonly url: string;
  readonly control: Control;
  readonly clock: HandClock;
  readonly store: Store;
  run(wish?: RunWish): Promise<Ran>;
  /** What the store knows, read through its own interface. */
  peek(set?: string): Promise<Peek>;
  close(): Promise<void>;
}

export interface Peek {
  readonly cursor: Cursor;
  readonly endpoint: EndpointState;
  readonly alive: number;
  state(index: number): StoredState | undefined;
}

let gates: Promise<AssembledRun> | undefined;

/** One set of gate threads for all scenes of a test file: a thread takes longer to start than a run of thirty records. */
function sharedGates(url: string): Promise<AssembledRun> {
  gates ??= assemble({
    source: sourceOf(url),
    root,
    store: openMemoryStore(),
    observe: () => undefined,
    signal: new AbortController().signal,
    environment: {},
    threads: 1,
  });
  return gates;
}

/** Called in afterAll of a file with scenes. */
export async function closeGates(): Promise<void> {
  await (await gates)?.close();
  gates = undefined;
}

/** A manifest for a sandbox; `spec` replaces whole fields, one level below `spec` at the deepest. */
export function manifestOf(url: string, spec: Tree = {}, name = "scene"): Tree {
  return {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: { name },
    spec: {
      baseUrl: url,
      metadataPrefix: "oai_dc",
      schedule: "@daily",
      validation: { xsd: "schemas/oai_dc.xsd", schematron: "rules/oai-dc-rules.sch" },
      backoff: { initialMs: 100, maxMs: 1000, maxAttempts: 3 },
      transport: { allowPrivateNetwork: true, minTlsVersion: "1.2" },
      ...spec,
    },
  };
}

export function sourceOf(url: string, spec: Tree = {}, name?: string): HarvestSource {
  const text = JSON.stringify(manifestOf(url, spec, name));
  const { sources, findings } = parseManifests(text, { file: "scene.yaml", named: true });
  const [first] = sources;
  if (first === undefined) throw new Error(findings.map((f) => f.sentence).join("\n"));
  return first.source;
}

export async function openScene(wish: SceneWish = {}): Promise<Scene> {
  const clock = new HandClock();
  const sandbox: Sandbox = await startSandbox({
    source: { kind: "generated", count: wish.count ?? 30 },
    pageSize: 10,
    clock: () => clock.now().getTime(),
    ...wish.sandbox,
  });
  const { control, url } = sandbox;
  const store = wish.store ?? openMemoryStore();
  const { run: shared } = await sharedGates(url);

  async function run(given: RunWish = {}): Promise<Ran> {
    control.clearRequests();
    const source = sourceOf(url, { ...wish.spec, ...given.spec });
    const stop = new AbortController();
    const events: RunEvent[] = [];
    const client = openClient({ spec: source.spec, userAgent: "harvest-controller/test" });
    const parts: Run = {
      ...shared,
      runId: newRunId(),
      source,
      store,
      clock,
      client,
      signal: stop.signal,
      ...(given.limit === undefined ? {} : { limit: given.limit }),
      observe(event) {
        events.push(event);
        if (given.stopAt?.(event) === true) stop.abort(interrupted());
      },
    };
    const summary = await harvest(parts).finally(() => client.close());
    const requests = control.requests().last;
    return {
      ...summary,
      requests,
      verbs: requests.map((r) => r.verb),
      events,
      warned: summary.warnings.map((w) => w.code).sort(),
    };
  }

  return {
    url,
    control,
    clock,
    store,
    run,
    peek: (set) => peek({ store, url, control }, set),
    close: () => sandbox.close(),
  };
}

function interrupted(): Fault {
  return new Fault("interrupted", { code: "Interrupted", sentence: "The run was stopped by SIGTERM." });
}

async function peek(
  { store, url, control }: { store: Store; url: string; control: Control },
  set = "",
): Promise<Peek> {
  const ledger = await store.begin({
    runId: newRunId(),
    source: "scene",
    endpoint: url,
    prefix: "oai_dc",
    policyDigest: "peek",
    holder: "peek",
    manifest: {},
    startedAt: START,
  });
  try {
    const identifiers = Array.from({ length: 40 }, (_, i) => identifierOf(control, i));
    const states = await ledger.loadStates(identifiers);
    return {
      cursor: await ledger.loadCursor({ endpoint: url, set, prefix: "oai_dc" }),
      endpoint: await ledger.loadEndpoint(url),
      alive: await ledger.countAlive(set === "" ? undefined : set),
      state: (index) => states.get(identifiers[index] ?? ""),
    };
  } finally {
    const counts = {
      requests: 0,
      bytes: 0,
      read: 0,
      inserted: 0,
      updated: 0,
      withdrawn: 0,
      unchanged: 0,
      quarantined: 0,
    };
    await ledger.finish({
      outcome: "complete",
      exitCode: 0,
      message: "",
      counts,
      endedAt: START,
      summary: {},
    });
  }
}

function identifierOf(control: Control, index: number): string {
  try {
    return control.identifierOf(index);
  } catch {
    return `none:${String(index)}`;
  }
}
