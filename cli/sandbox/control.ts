/** What a test may do to a running sandbox: change its records, switch faults on, read what it was asked. */
import type { RecordFaultName } from "./content/record-faults.js";
import type { ArmedFault, ArmedFaults } from "./faults/armed-faults.js";
import type { ServerFault } from "./faults/server-faults.js";
import type { RequestLog, Requests } from "./http/request-log.js";
import type { Site } from "./oai/site.js";
import type { Entry, Overlaid } from "./repository/repository.js";

/** A record, by index or by OAI identifier. */
export type RecordRef = number | string;

export interface ChangeOptions {
  /** Seconds of the epoch; default the server's clock now. */
  readonly stamp?: number;
  /** Replaces the payload in every format. */
  readonly body?: string;
  /** Breaks the record, or (null) repairs it. */
  readonly fault?: RecordFaultName | null;
  readonly sets?: readonly string[];
}

export interface AddOptions extends Omit<ChangeOptions, "fault"> {
  /** Identifier without the repository's prefix; default the next generated one. */
  readonly localName?: string;
  readonly fault?: RecordFaultName;
}

/** Every method that changes a record returns its OAI identifier, and throws a sentence when there is no such record. */
export interface Control {
  /** New content, new datestamp; brings a deleted record back. */
  change(ref: RecordRef, options?: ChangeOptions): string;
  /** Same content, new datestamp. */
  touch(ref: RecordRef, options?: Pick<ChangeOptions, "stamp">): string;
  /** Leaves a tombstone, unless deletedRecord is `no`. */
  delete(ref: RecordRef, options?: Pick<ChangeOptions, "stamp">): string;
  /** Leaves nothing, whatever the policy says. */
  remove(ref: RecordRef): string;
  add(options?: AddOptions): string;
  /** New datestamp for every record that was not changed one by one (case C32). */
  touchAll(options?: Pick<ChangeOptions, "stamp">): void;
  /** What a repository with transient tombstones does in time (case C46). */
  forgetTombstones(): void;
  /** Gives every record another identifier (case C99). */
  renameIdentifiers(prefix: string): void;
  identifierOf(index: number): string;
  arm(fault: ServerFault): number;
  /** Switches one fault off, or all. */
  disarm(id?: number): void;
  armed(): readonly ArmedFault[];
  /** Positive: the server's clock runs ahead. */
  setClockOffset(seconds: number): void;
  setPageSize(records: number): void;
  /** What a restart does to a server that keeps its tokens in memory. */
  forgetTokens(): void;
  requests(): RequestLog;
  clearRequests(): void;
}

export interface Controlled {
  readonly site: Site;
  readonly faults: ArmedFaults;
  readonly log: Requests;
}

export function createControl({ site, faults, log }: Controlled): Control {
  return {
    ...recordControl(site),
    touchAll: (options = {}) => {
      site.repository.restamped = options.stamp ?? site.now();
    },
    forgetTombstones: () => {
      site.repository.forgetTombstones();
    },
    renameIdentifiers: (prefix) => {
      site.repository.prefix = prefix;
    },
    identifierOf: (index) => site.repository.prefix + find(site, index).localName,
    arm: (fault) => faults.arm(fault),
    disarm: (id) => {
      faults.disarm(id);
    },
    armed: () => faults.list(),
    setClockOffset: (seconds) => {
      site.live.clockOffsetMs = seconds * 1000;
    },
    setPageSize(records) {
      if (!Number.isInteger(records) || records < 1)
        throw new Error(`A page holds at least one record, not ${String(records)}.`);
      site.live.pageSize = records;
    },
    forgetTokens: () => {
      site.tokens.forget();
    },
    requests: () => log.read(),
    clearRequests: () => {
      log.clear();
    },
  };
}

function recordControl(site: Site): Pick<Control, "change" | "touch" | "delete" | "remove" | "add"> {
  function put(entry: Omit<Overlaid, "sequence">): string {
    site.repository.put(entry);
    return site.repository.prefix + entry.localName;
  }
  return {
    change: (ref, options = {}) => put(changed(site, find(site, ref), options)),
    touch: (ref, options = {}) =>
      put({ ...find(site, ref), stamp: options.stamp ?? site.now(), removed: false }),
    delete: (ref, options = {}) =>
      put({ ...find(site, ref), stamp: options.stamp ?? site.now(), deleted: true, removed: false }),
    remove: (ref) => put({ ...find(site, ref), removed: true }),
    add: (options = {}) => put(added(site, options)),
  };
}

function find(site: Site, ref: RecordRef): Entry {
  const entry = typeof ref === "number" ? site.repository.at(ref) : site.repository.find(ref);
  if (entry === undefined)
    throw new Error(
      `The sandbox holds no record ${typeof ref === "number" ? `number ${String(ref)}` : ref}.`,
    );
  return entry;
}

function changed(site: Site, entry: Entry, options: ChangeOptions): Omit<Overlaid, "sequence"> {
  const { fault: oldFault, ...rest } = entry;
  const fault = options.fault === undefined ? oldFault : (options.fault ?? undefined);
  return {
    ...rest,
    version: entry.version + 1,
    deleted: false,
    removed: false,
    stamp: options.stamp ?? site.now(),
    sets: options.sets ?? entry.sets,
    ...(fault === undefined ? {} : { fault }),
    ...(options.body === undefined ? {} : { body: Buffer.from(options.body) }),
  };
}

function added(site: Site, options: AddOptions): Omit<Overlaid, "sequence"> {
  const { repository } = site;
  const { content } = repository;
  if (options.body === undefined && !content.makesRecords) {
    throw new Error("A sandbox over a folder cannot invent records: hand in the body of the record to add.");
  }
  const index = repository.nextIndex();
  return {
    index,
    localName: options.localName ?? content.localName(index),
    stamp: options.stamp ?? site.now(),
    sets: options.sets ?? content.setsOf(index),
    formats: site.formats,
    version: 0,
    deleted: false,
    removed: false,
    ...(options.fault === undefined ? {} : { fault: options.fault }),
    ...(options.body === undefined ? {} : { body: Buffer.from(options.body) }),
  };
}
