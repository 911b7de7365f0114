import type { Lister } from "../api.js";
import type { Key, KubeObject } from "../object.js";

/** Objects by key and by owner. */
export class CacheStore implements Lister {
  readonly #objects = new Map<Key, KubeObject>();
  readonly #owned = new Map<string, Set<Key>>();
  /** Keys in order, and the objects in that order; undefined = to be made at the next list. */
  #order: readonly Key[] | undefined;
  #sorted: readonly KubeObject[] | undefined;

  get size(): number {
    return this.#objects.size;
  }

  keys(): readonly Key[] {
    return [...this.#objects.keys()];
  }

  get(key: Key): KubeObject | undefined {
    return this.#objects.get(key);
  }

  list(namespace?: string): readonly KubeObject[] {
    this.#order ??= [...this.#objects.keys()].sort();
    this.#sorted ??= Object.freeze(this.#order.flatMap((key) => this.#objects.get(key) ?? []));
    if (namespace === undefined) return this.#sorted;
    return this.#sorted.filter(({ metadata }) => metadata.namespace === namespace);
  }

  ownedBy(uid: string): readonly KubeObject[] {
    const keys = [...(this.#owned.get(uid) ?? [])].sort();
    return keys.flatMap((key) => this.#objects.get(key) ?? []);
  }

  set(key: Key, object: KubeObject): void {
    // A change keeps the order: sorting ten thousand keys for each would cost more than all else.
    if (!this.#objects.has(key)) this.#order = undefined;
    this.#sorted = undefined;
    this.#disown(key);
    this.#objects.set(key, object);
    const owner = ownerOf(object);
    if (owner === undefined) return;
    const keys = this.#owned.get(owner);
    if (keys === undefined) this.#owned.set(owner, new Set([key]));
    else keys.add(key);
  }

  delete(key: Key): void {
    this.#order = undefined;
    this.#sorted = undefined;
    this.#disown(key);
    this.#objects.delete(key);
  }

  #disown(key: Key): void {
    const owner = ownerOf(this.#objects.get(key));
    if (owner === undefined) return;
    const keys = this.#owned.get(owner);
    keys?.delete(key);
    if (keys?.size === 0) this.#owned.delete(owner);
  }
}

/** The uid of the controller: an object has at most one. */
function ownerOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
}
