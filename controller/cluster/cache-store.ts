import type { Lister } from "../api.js";
import type { Key, KubeObject } from "../object.js";

/** Objects by key and by owner. */
export class CacheStore implements Lister {
  readonly #objects = new Map<Key, KubeObject>();
  readonly #owned = new Map<string, Set<Key>>();
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
    this.#sorted ??= Object.freeze([...this.#objects].sort(byKey).map(([, object]) => object));
    if (namespace === undefined) return this.#sorted;
    return this.#sorted.filter(({ metadata }) => metadata.namespace === namespace);
  }

  ownedBy(uid: string): readonly KubeObject[] {
    const keys = [...(this.#owned.get(uid) ?? [])].sort();
    return keys.flatMap((key) => this.#objects.get(key) ?? []);
  }

  set(key: Key, object: KubeObject): void {
    this.delete(key);
    this.#objects.set(key, object);
    const owner = ownerOf(object);
    if (owner === undefined) return;
    const keys = this.#owned.get(owner);
    if (keys === undefined) this.#owned.set(owner, new Set([key]));
    else keys.add(key);
  }

  delete(key: Key): void {
    this.#sorted = undefined;
    const owner = ownerOf(this.#objects.get(key));
    this.#objects.delete(key);
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

function byKey([a]: readonly [Key, unknown], [b]: readonly [Key, unknown]): number {
  return a < b ? -1 : 1;
}
