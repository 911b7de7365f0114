/** The objects of one kind as last heard from the API server, and what changed when something new is heard. */
import type { Lister } from "../api.js";
import { keyOf, type Key, type KubeObject } from "../object.js";
import { CacheStore } from "./cache-store.js";
import { compareVersions } from "./cache-version.js";

/** `old` of a deletion is the last state known: the final one when the server told it. */
export type Change =
  | { readonly type: "added"; readonly object: KubeObject }
  | { readonly type: "changed"; readonly old: KubeObject; readonly object: KubeObject }
  | { readonly type: "deleted"; readonly old: KubeObject };

export interface Keyed {
  readonly key: Key;
  readonly change: Change;
}

export interface CacheOptions {
  /** What is kept of an object, to bound memory; returns a new object, never changes the given one. Absent = all. */
  readonly trim?: (object: KubeObject) => KubeObject;
  /** Freeze what is kept, all the way down: a write to it throws. For tests and development; costs time, no memory. */
  readonly freeze?: boolean;
}

/** Each method answers what changed; nothing for what was known already or is older than what is known. */
export interface Cache {
  readonly lister: Lister;
  size(): number;
  put(object: KubeObject): readonly Keyed[];
  remove(object: KubeObject): readonly Keyed[];
  /** A complete list: what is not in it is gone. All is in place before the changes are answered. */
  replace(objects: readonly KubeObject[]): readonly Keyed[];
}

export function createCache(options: CacheOptions = {}): Cache {
  const store = new CacheStore();
  function enter(object: KubeObject): KubeObject {
    const kept = options.trim === undefined ? object : options.trim(object);
    return options.freeze === true ? deepFreeze(kept) : kept;
  }

  function putNewer(object: KubeObject, isNews: (old: KubeObject) => boolean): readonly Keyed[] {
    const key = keyOf(object);
    const old = store.get(key);
    if (old !== undefined && !isNews(old)) return [];
    const kept = enter(object);
    store.set(key, kept);
    return changesBetween(key, old, kept);
  }

  function remove(object: KubeObject): readonly Keyed[] {
    const key = keyOf(object);
    const old = store.get(key);
    if (old === undefined || isOlder(object, old)) return [];
    store.delete(key);
    const last = sameLife(old, object) ? enter(object) : old;
    return [{ key, change: { type: "deleted", old: last } }];
  }

  function replace(objects: readonly KubeObject[]): readonly Keyed[] {
    const listed = new Set(objects.map(keyOf));
    const gone = store.keys().filter((key) => !listed.has(key));
    // What a list says is true even when it is older: after a restore from a backup everything is.
    const news = objects.flatMap((object) => putNewer(object, (old) => !sameState(old, object)));
    return [...news, ...gone.flatMap((key) => forget(store, key))];
  }

  return {
    lister: store,
    size: () => store.size,
    put: (object) => putNewer(object, (old) => !sameState(old, object) && !isOlder(object, old)),
    remove,
    replace,
  };
}

function forget(store: CacheStore, key: Key): readonly Keyed[] {
  const old = store.get(key);
  store.delete(key);
  return old === undefined ? [] : [{ key, change: { type: "deleted", old } }];
}

/** The same name with another uid is another object: the old one was deleted, whether we heard of it or not. */
function changesBetween(key: Key, old: KubeObject | undefined, object: KubeObject): readonly Keyed[] {
  if (old === undefined) return [{ key, change: { type: "added", object } }];
  if (sameLife(old, object)) return [{ key, change: { type: "changed", old, object } }];
  return [
    { key, change: { type: "deleted", old } },
    { key, change: { type: "added", object } },
  ];
}

function sameLife(a: KubeObject, b: KubeObject): boolean {
  return a.metadata.uid === b.metadata.uid;
}

function sameState(a: KubeObject, b: KubeObject): boolean {
  return sameLife(a, b) && a.metadata.resourceVersion === b.metadata.resourceVersion;
}

/** Whatever its uid: the versions of one kind are of one sequence, so an older one is the past. */
function isOlder(object: KubeObject, known: KubeObject): boolean {
  const order = compareVersions(object.metadata.resourceVersion ?? "", known.metadata.resourceVersion ?? "");
  return order !== undefined && order < 0;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
