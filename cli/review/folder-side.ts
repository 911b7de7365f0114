import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join, posix } from "node:path";
import { Fault } from "../../harvester/fault.js";
import { readDisk } from "./disk-files.js";
import { refuseTooMany, type Side } from "./side.js";

/** Never policy, and often huge. */
const PASSED_OVER = new Set([".git", ".harvest", "node_modules"]);

export interface FolderOptions {
  /** As people name it. */
  readonly label: string;
  /** Put before each path, so that two sides name a file alike: "" or "policy/". */
  readonly prefix: string;
}

/** A folder without any history. Throws Fault `config`. */
export async function folderSide(folder: string, { label, prefix }: FolderOptions): Promise<Side> {
  const real = await realpath(folder).catch((cause: unknown) => {
    throw new Fault("config", {
      code: "PathUnreadable",
      sentence: `There is no folder ${JSON.stringify(folder)}.`,
      remedy: "Check the path; it is relative to the current directory.",
      cause,
    });
  });
  const { files, passedOver } = await walk(real, label);
  return {
    label,
    files: new Set(files.map((path) => prefix + path)),
    passedOver: new Set(passedOver.map((path) => prefix + path)),
    read: async (paths, maxBytes) => {
      const known = new Set(files);
      const below = paths
        .filter((path) => path.startsWith(prefix))
        .map((path) => path.slice(prefix.length))
        .filter((path) => known.has(path));
      const read = await readDisk({ folder: real, paths: below, maxBytes, label });
      return new Map([...read].map(([path, bytes]) => [prefix + path, bytes]));
    },
  };
}

interface Walked {
  readonly files: string[];
  readonly passedOver: string[];
}

async function walk(root: string, label: string): Promise<Walked> {
  const found: Walked = { files: [], passedOver: [] };
  const folders = [""];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    const entries = await entriesOf(join(root, next), next);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = posix.join(next, entry.name);
      if (entry.isFile()) found.files.push(path);
      else if (!entry.isDirectory()) found.passedOver.push(path);
      else if (!PASSED_OVER.has(entry.name)) folders.push(path);
    }
    // A policy has some hundred files; ten times the bound for what may lie around them.
    if (found.files.length > 100_000) refuseTooMany(found.files, label);
  }
  return found;
}

async function entriesOf(folder: string, shown: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new Fault("config", {
      code: "PathUnreadable",
      sentence: `The folder ${JSON.stringify(shown)} could not be read: ${(cause as NodeJS.ErrnoException).code ?? "unknown reason"}.`,
      remedy: "Check the rights on it.",
      cause,
    });
  });
}
