import { readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Disk } from "./kustomize-files.js";

/** One more than a file may have, so that a bigger one is still told as too big. */
const MAX_BYTES = 1024 * 1024 + 1;

/** Files below one folder: a kustomization is text of a stranger, and its paths lead where they like. */
export function diskBelow(top: string): Disk {
  const home = realpathSync(top);
  return {
    isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
    read(path) {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isFile() !== true) return undefined;
      if (!isBelow(home, realpathSync(resolve(path))))
        throw new Error(`${path} lies outside the repository, and is not read.`);
      return found.size < MAX_BYTES ? readFileSync(path) : new Uint8Array(MAX_BYTES);
    },
  };
}

function isBelow(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}
