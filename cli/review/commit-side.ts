import { shortId, type Commit } from "../git/commit.js";
import { listTree, objectSizes, readObjects } from "../git/read-tree.js";
import type { Repository } from "../git/repository.js";
import { refuseTooBig, refuseTooMany, zeros, type Side } from "./side.js";

/** A commit as it is stored: no checkout, so no filter, no hook and no link. Throws Fault `config`. */
export async function commitSide(repository: Repository, commit: Commit): Promise<Side> {
  const label = shortId(commit);
  const objects = new Map<string, string>();
  const passedOver = new Set<string>();
  for (const { mode, object, path } of await listTree(repository, commit)) {
    if (path === undefined || !isPlain(path)) continue;
    if (mode.startsWith("100")) objects.set(path, object);
    else passedOver.add(path);
  }
  return {
    label,
    files: new Set(objects.keys()),
    passedOver,
    read: async (paths, maxBytes) => {
      const wanted = new Map<string, string>();
      for (const path of paths) {
        const id = objects.get(path);
        if (id !== undefined) wanted.set(path, id);
      }
      refuseTooMany([...wanted.keys()], label);
      return readAll(repository, { wanted, maxBytes, label });
    },
  };
}

/** A tree made by hand may hold steps that lead out of it. */
function isPlain(path: string): boolean {
  return path.split("/").every((step) => step !== "" && step !== "." && step !== "..");
}

interface Wish {
  /** Object by path. */
  readonly wanted: ReadonlyMap<string, string>;
  readonly maxBytes: number;
  readonly label: string;
}

/** Also for files of a sparse working tree, which are only objects. */
export async function readAll(
  repository: Repository,
  { wanted, maxBytes, label }: Wish,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const ids = [...new Set(wanted.values())];
  const sizes = await objectSizes(repository, ids);
  const objects = ids.map((id, i) => ({ id, size: sizes[i] ?? 0 }));
  const small = objects.filter(({ size }) => size <= maxBytes);
  refuseTooBig(
    small.map(({ size }) => size),
    label,
  );
  const contents = new Map(await readObjects(repository, small));
  for (const { id, size } of objects) if (size > maxBytes) contents.set(id, zeros(size));
  return new Map([...wanted].map(([path, id]) => [path, contents.get(id) ?? new Uint8Array()]));
}
