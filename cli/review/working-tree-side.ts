import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { listWorkingTree } from "../git/list-working-tree.js";
import type { Repository } from "../git/repository.js";
import { readAll } from "./commit-side.js";
import { readDisk } from "./disk-files.js";
import type { Side } from "./side.js";

const label = "working tree";

/** What lies on the disk now, tracked or not, but not what an ignore file names. */
export interface WorkingTree extends Side {
  /** Paths with both sides of a merge in them. */
  readonly unmerged: readonly string[];
}

/** Throws Fault `config`. */
export async function workingTreeSide(repository: Repository): Promise<WorkingTree> {
  const { top } = repository;
  const { entries, unmerged } = await listWorkingTree(repository);
  const onDisk = new Set<string>();
  const sparse = new Map<string, string>();
  const passedOver = new Set<string>();
  for (const { path, object } of entries) {
    const found = await lstat(join(top, path)).catch(() => undefined);
    if (found?.isFile() === true) onDisk.add(path);
    else if (found !== undefined) passedOver.add(path);
    else if (object !== undefined) sparse.set(path, object);
  }
  return {
    label,
    files: new Set([...onDisk, ...sparse.keys()]),
    passedOver,
    unmerged,
    read: async (paths, maxBytes) => {
      const disk = paths.filter((path) => onDisk.has(path));
      const wanted = new Map(
        paths.flatMap((path) => {
          const object = sparse.get(path);
          return object === undefined ? [] : [[path, object] as const];
        }),
      );
      const read = await readDisk({ folder: top, paths: disk, maxBytes, label });
      if (wanted.size === 0) return read;
      return new Map([...read, ...(await readAll(repository, { wanted, maxBytes, label }))]);
    },
  };
}
