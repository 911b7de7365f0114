/** All reflectors of a controller as one: started, synced and stopped together, and heard at one place. */
import type { Lister } from "../api.js";
import type { Clock } from "../clock.js";
import type { Key, KubeObject } from "../object.js";
import type { Resource } from "../resources.js";
import type { Change } from "./cache.js";
import { uniteListers } from "./lister-union.js";
import type { ReflectorLimits } from "./reflector-options.js";
import type { ReflectorNote, ReflectorState } from "./reflector-state.js";
import { createReflector, type Reflector } from "./reflector.js";
import type { WatchSource } from "./watch-source.js";

/** What is kept under one name, in as many namespaces as the controller looks into. */
export interface Kept {
  readonly resource: Resource;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** What is kept of an object, to bound memory; returns a new object. */
  readonly trim?: (object: KubeObject) => KubeObject;
}

/** `old` absent = new; `object` absent = gone, and `old` is its last state. */
export interface StoreChange<Name extends string> {
  readonly name: Name;
  readonly resource: Resource;
  readonly key: Key;
  readonly old?: KubeObject;
  readonly object?: KubeObject;
}

export interface Who<Name extends string> {
  readonly name: Name;
  /** Absent = all namespaces. */
  readonly namespace?: string;
}

export interface ReflectorSetOptions<Name extends string> {
  readonly source: WatchSource;
  readonly clock: Clock;
  readonly random: () => number;
  /** By name: unique, a label of metrics. */
  readonly keep: Readonly<Record<Name, Kept>>;
  /** Empty = all, by one reflector each. What has no namespace is read once. */
  readonly namespaces?: readonly string[];
  readonly limits?: Partial<ReflectorLimits>;
  readonly freeze?: boolean;
  readonly onChange: (change: StoreChange<Name>) => void;
  readonly onState?: (who: Who<Name>, note: ReflectorNote) => void;
}

export interface Reflectors<Name extends string> {
  start(signal: AbortSignal): void;
  /** Every first list is in its cache and told. Rejects when stopped before that. */
  readonly synced: Promise<void>;
  hasSynced(): boolean;
  /** Over all namespaces looked into. */
  lister(name: Name): Lister;
  /** Of the reflector that was active the longest ago. */
  lastActivity(): Date;
  states(): readonly (Who<Name> & { readonly state: ReflectorState })[];
  stop(): void;
}

interface Member<Name extends string> extends Who<Name> {
  readonly reflector: Reflector;
}

export function createReflectors<Name extends string>(options: ReflectorSetOptions<Name>): Reflectors<Name> {
  const names = Object.keys(options.keep) as Name[];
  const members = names.flatMap((name) => membersOf(name, options));
  const listers = new Map(names.map((name) => [name, listerOf(name, members)]));
  const synced = Promise.all(members.map(({ reflector }) => reflector.synced)).then(() => undefined);
  // Nobody need wait for it.
  synced.catch(() => undefined);
  return {
    start: (signal) => {
      for (const { reflector } of members) reflector.start(signal);
    },
    synced,
    hasSynced: () => members.every(({ reflector }) => reflector.hasSynced()),
    lister: (name) => {
      const lister = listers.get(name);
      if (lister === undefined) throw new Error(`No reflector is named ${name}.`);
      return lister;
    },
    lastActivity: () =>
      new Date(Math.min(...members.map(({ reflector }) => reflector.lastActivity().getTime()))),
    states: () => members.map(({ reflector, ...who }) => ({ ...who, state: reflector.state() })),
    stop: () => {
      for (const { reflector } of members) reflector.stop();
    },
  };
}

function membersOf<Name extends string>(name: Name, options: ReflectorSetOptions<Name>): Member<Name>[] {
  const { keep, namespaces = [], onChange, onState, ...common } = options;
  const kept = keep[name];
  const { resource } = kept;
  const everywhere = namespaces.length === 0 || !resource.namespaced;
  const places = everywhere ? [undefined] : [...new Set(namespaces)];
  return places.map((namespace) => {
    const who = { name, ...(namespace === undefined ? {} : { namespace }) };
    const reflector = createReflector({
      ...common,
      ...kept,
      namespace,
      onChange: (key, change) => onChange({ name, resource, key, ...sidesOf(change) }),
      onState: (note) => onState?.(who, note),
    });
    return { ...who, reflector };
  });
}

function sidesOf(change: Change): Pick<StoreChange<string>, "old" | "object"> {
  switch (change.type) {
    case "added":
      return { object: change.object };
    case "changed":
      return { old: change.old, object: change.object };
    case "deleted":
      return { old: change.old };
  }
}

function listerOf<Name extends string>(name: Name, members: readonly Member<Name>[]): Lister {
  const own = members.filter((member) => member.name === name);
  const [only] = own;
  if (only !== undefined && only.namespace === undefined) return only.reflector.lister;
  return uniteListers(new Map(own.map(({ namespace, reflector }) => [namespace ?? "", reflector.lister])));
}
