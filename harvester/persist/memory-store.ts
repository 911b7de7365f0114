/** The store of a dry run: the semantics of the database in memory, nothing written, gone at the end. */
import type { Cursor, CursorKey, StoredState } from "../record.js";
import { sourceHeld } from "./lease.js";
import { createLocalLimiter, type Limiter } from "./limiter.js";
import { commitToMemory, cursorName, type MemorySource } from "./memory-commit.js";
import { identifierKey } from "./storable.js";
import type { EndpointState, RunStart, RunStore, Store, SweepResult } from "./store.js";

/** What is known already, for a dry run beside a real store: asked, never written. */
export interface Behind {
  loadCursor(key: CursorKey): Promise<Cursor>;
  loadStates(identifiers: readonly string[]): Promise<ReadonlyMap<string, StoredState>>;
  loadEndpoint(endpoint: string): Promise<EndpointState>;
}

export interface MemoryOptions {
  /** Of the one source this store is for. */
  readonly behind?: Behind | undefined;
  /** Shared with other stores, so that several dry runs keep the ceiling of a host together. */
  readonly limiter?: Pick<Limiter, "acquireSlot" | "reserve"> | undefined;
}

interface Memory {
  readonly sources: Map<string, MemorySource>;
  readonly endpoints: Map<string, EndpointState>;
  readonly running: Map<string, RunStart>;
  readonly limiter: Pick<Limiter, "acquireSlot" | "reserve">;
  readonly behind: Behind | undefined;
}

/** Keeps of each record what decides (checksums, times, memberships), not its body. */
export function openMemoryStore(options: MemoryOptions = {}): Store {
  const memory: Memory = {
    sources: new Map(),
    endpoints: new Map(),
    running: new Map(),
    limiter: options.limiter ?? createLocalLimiter(),
    behind: options.behind,
  };
  return {
    begin: (start) => Promise.resolve().then(() => begin(memory, start)),
    close: () => Promise.resolve(),
  };
}

function begin(memory: Memory, start: RunStart): RunStore {
  const holder = memory.running.get(start.source);
  if (holder !== undefined) throw sourceHeld(start.source, { holder: holder.holder, run_id: holder.runId });
  memory.running.set(start.source, start);
  const source = memory.sources.get(start.source) ?? {
    records: new Map(),
    quarantine: new Map(),
    cursors: new Map(),
  };
  memory.sources.set(start.source, source);
  const remember = remembering(source, memory.behind);
  return {
    loadCursor: async (key) =>
      source.cursors.get(cursorName(key)) ?? (await memory.behind?.loadCursor(key)) ?? {},
    async loadStates(identifiers) {
      await remember(identifiers);
      return statesOf(source, identifiers);
    },
    commit: (batch) => Promise.resolve().then(() => commitToMemory(source, start, batch)),
    ...sweepOf(source),
    countAlive: (set) => Promise.resolve(aliveIn(source, set).length),
    totals: () =>
      Promise.resolve({ records: aliveIn(source, undefined).length, quarantined: source.quarantine.size }),
    loadEndpoint: async (endpoint) =>
      memory.endpoints.get(endpoint) ??
      (await memory.behind?.loadEndpoint(endpoint)) ?? { consecutiveFailures: 0 },
    saveEndpoint: (endpoint, state) => Promise.resolve(noteEndpoint(memory, endpoint, state)),
    acquireSlot: (host, slots, signal) => memory.limiter.acquireSlot(host, slots, signal),
    reserve: (host, requestsPerSecond) => memory.limiter.reserve(host, requestsPerSecond),
    finish: () => Promise.resolve(void memory.running.delete(start.source)),
  };
}

/** Takes over what lies behind the first time an identifier is spoken of: from then on memory has the last word. */
function remembering(
  source: MemorySource,
  behind: Behind | undefined,
): (identifiers: readonly string[]) => Promise<void> {
  if (behind === undefined) return () => Promise.resolve();
  const asked = new Set<string>();
  return async (identifiers) => {
    const fresh = identifiers.filter((identifier) => !asked.has(identifier));
    for (const identifier of fresh) asked.add(identifier);
    for (const [identifier, state] of await behind.loadStates(fresh)) takeOver(source, identifier, state);
  };
}

function takeOver(source: MemorySource, identifier: string, state: StoredState): void {
  const key = identifierKey(identifier);
  const { quarantined, checksum, rawChecksum, ...rest } = state;
  if (checksum !== undefined)
    source.records.set(key, { ...rest, checksum, rawChecksum: rawChecksum ?? checksum });
  if (quarantined !== undefined) source.quarantine.set(key, { ...quarantined, set: "" });
}

function statesOf(source: MemorySource, identifiers: readonly string[]): ReadonlyMap<string, StoredState> {
  const found = new Map<string, StoredState>();
  for (const identifier of identifiers) {
    const key = identifierKey(identifier);
    const record = source.records.get(key);
    const refused = source.quarantine.get(key);
    if (record === undefined && refused === undefined) continue;
    const { deletedReason, ...state } = record ?? { deleted: false, sets: [], deletedReason: undefined };
    void deletedReason;
    const quarantined = refused && { rawChecksum: refused.rawChecksum, policyDigest: refused.policyDigest };
    found.set(identifier, { ...state, ...(quarantined === undefined ? {} : { quarantined }) });
  }
  return found;
}

function sweepOf(source: MemorySource): Pick<RunStore, "stageSweep" | "sweep" | "dropSweep"> {
  const staged = new Set<string>();
  return {
    stageSweep(identifiers) {
      for (const identifier of identifiers) staged.add(identifierKey(identifier));
      return Promise.resolve();
    },
    sweep: (set, atMost) => Promise.resolve(compare(source, staged, { set, atMost })),
    dropSweep() {
      staged.clear();
      return Promise.resolve();
    },
  };
}

function compare(
  source: MemorySource,
  staged: ReadonlySet<string>,
  { set, atMost }: { readonly set: string; readonly atMost: number },
): SweepResult & { readonly missingCount: number } {
  const alive = aliveIn(source, set === "" ? undefined : set);
  const missing = alive.filter((identifier) => !staged.has(identifier)).sort();
  const refused = [...source.quarantine].filter(
    ([identifier, entry]) =>
      (set === "" || entry.set === set) &&
      source.records.get(identifier)?.deleted !== false &&
      !staged.has(identifier),
  );
  return {
    known: alive.length,
    staged: staged.size,
    missing: missing.slice(0, atMost),
    missingCount: missing.length,
    missingQuarantined: refused
      .map(([identifier]) => identifier)
      .sort()
      .slice(0, atMost),
  };
}

function aliveIn(source: MemorySource, set: string | undefined): string[] {
  const alive: string[] = [];
  for (const [identifier, record] of source.records) {
    if (!record.deleted && (set === undefined || record.sets.includes(set))) alive.push(identifier);
  }
  return alive;
}

/** As save-endpoint.ts: a quiet still asked for is never shortened. */
function noteEndpoint(memory: Memory, endpoint: string, state: EndpointState): void {
  const known = memory.endpoints.get(endpoint);
  const until = known?.blockedUntil;
  const keeps = until !== undefined && Date.parse(until) > Date.now() && (state.blockedUntil ?? "") < until;
  if (!keeps) {
    memory.endpoints.set(endpoint, state);
    return;
  }
  const because = known?.blockedBecause;
  memory.endpoints.set(endpoint, {
    ...state,
    blockedUntil: until,
    ...(because === undefined ? {} : { blockedBecause: because }),
  });
}
