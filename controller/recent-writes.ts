import { keyOf, type Key, type KubeObject } from "./object.js";
import { resourceName, type Resource } from "./resources.js";

/** What this process wrote and its cache may not show yet, so that nothing is decided on what it just replaced. */
export interface RecentWrites {
  remember(resource: Resource, written: KubeObject): void;
  forget(resource: Resource, key: Key, uid: string): void;
  /** The newer of what the cache has and what was written; undefined when it was deleted. */
  newest(resource: Resource, key: Key, cached: KubeObject | undefined): KubeObject | undefined;
  /** Written and not yet caught up with, of one controlling owner. */
  ownedBy(resource: Resource, uid: string): readonly KubeObject[];
  readonly size: number;
}

type Write =
  | { readonly kind: "written"; readonly object: KubeObject }
  | { readonly kind: "deleted"; readonly uid: string };

/** Writes are kept until the cache has caught up with them; a lost object must not be remembered for ever, hence `most`. */
export function recentWrites(most = 20_000): RecentWrites {
  const writes = new Map<string, Write>();
  const owners = ownerIndex();

  function put(id: string, write: Write): void {
    drop(id);
    writes.set(id, write);
    owners.add(id, write);
    const oldest = writes.size > most ? writes.keys().next().value : undefined;
    if (oldest !== undefined) drop(oldest);
  }

  function drop(id: string): void {
    owners.remove(id, writes.get(id));
    writes.delete(id);
  }

  return {
    remember(resource, object) {
      put(idOf(resource, keyOf(object)), { kind: "written", object });
    },
    forget(resource, key, uid) {
      put(idOf(resource, key), { kind: "deleted", uid });
    },
    newest(resource, key, cached) {
      const id = idOf(resource, key);
      const write = writes.get(id);
      if (write === undefined) return cached;
      if (!caughtUp(write, cached)) return write.kind === "written" ? write.object : undefined;
      drop(id);
      return cached;
    },
    ownedBy(resource, uid) {
      return owners.of(`${resourceName(resource)} ${uid}`);
    },
    get size() {
      return writes.size;
    },
  };
}

function idOf(resource: Resource, key: Key): string {
  return `${resourceName(resource)} ${key}`;
}

interface OwnerIndex {
  add(id: string, write: Write): void;
  remove(id: string, write: Write | undefined): void;
  of(owner: string): readonly KubeObject[];
}

function ownerIndex(): OwnerIndex {
  const owned = new Map<string, Map<string, KubeObject>>();
  return {
    add(id, write) {
      const owner = ownerOf(id, write);
      if (owner === undefined || write.kind === "deleted") return;
      owned.set(owner, (owned.get(owner) ?? new Map<string, KubeObject>()).set(id, write.object));
    },
    remove(id, write) {
      const owner = write === undefined ? undefined : ownerOf(id, write);
      if (owner === undefined) return;
      owned.get(owner)?.delete(id);
      if (owned.get(owner)?.size === 0) owned.delete(owner);
    },
    of: (owner) => [...(owned.get(owner)?.values() ?? [])],
  };
}

function ownerOf(id: string, write: Write): string | undefined {
  if (write.kind === "deleted") return undefined;
  const owner = write.object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner === undefined ? undefined : `${id.slice(0, id.indexOf(" "))} ${owner.uid}`;
}

function caughtUp(write: Write, cached: KubeObject | undefined): boolean {
  if (write.kind === "deleted") return cached?.metadata.uid !== write.uid;
  if (cached === undefined) return false;
  return !isOlder(cached.metadata.resourceVersion, write.object.metadata.resourceVersion);
}

/** Resource versions of one resource are whole numbers that grow (KEP-5504); longer ones are greater. */
function isOlder(a = "", b = ""): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}
