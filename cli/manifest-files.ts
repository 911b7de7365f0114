import { closeSync, openSync, readSync, type Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Fault } from "../harvester/fault.js";

/** One file that may hold manifests. */
export interface ManifestFile {
  /** As people should see it: the path they gave, and what was found below it. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** True: named itself. False: found in a folder, where other things may lie too. */
  readonly named: boolean;
}

/** Folders that hold no manifests but may hold a great deal. */
const PASSED_OVER = new Set(["node_modules", "dist"]);
const MAX_FILES = 50_000;
/** One more than a manifest may have (source/yaml/read-text.ts), so that a bigger file is still told as too big. */
const MAX_BYTES = 1024 * 1024 + 1;

/**
 * The files at these paths: a file as it is, a folder with every .yaml and .yml below it, in the order of their names.
 * Symbolic links are followed to files, not to folders. Throws Fault `config` when a path does not exist or cannot be
 * read, and when a folder holds no such file.
 */
export async function readManifestFiles(paths: readonly string[]): Promise<readonly ManifestFile[]> {
  const files: ManifestFile[] = [];
  for (const path of paths) files.push(...(await readPath(path)));
  const seen = new Set<string>();
  // A file named twice, or named beside its folder, is one file.
  return files.filter(({ path }) => !seen.has(resolve(path)) && seen.add(resolve(path)));
}

async function readPath(path: string): Promise<readonly ManifestFile[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!found.isDirectory()) return [{ path, bytes: bytesOf(path), named: true }];
  const below = await filesBelow(path);
  if (below.length === 0)
    throw new Fault("config", {
      code: "NoManifest",
      sentence: `There is no .yaml or .yml file in ${path}.`,
      remedy: "Name the folder that holds the manifests, e.g. manifests/sources.",
    });
  return below.map((file) => ({ path: file, bytes: bytesOf(file), named: false }));
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [folder];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    const entries = await entriesOf(next);
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith(".") && !PASSED_OVER.has(entry.name))
        folders.push(path);
      else if (!entry.isDirectory() && /(\.ya?ml|^Kustomization)$/i.test(entry.name)) found.push(path);
    }
    if (found.length > MAX_FILES) throw tooMany(folder);
  }
  return found.sort();
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(folder, error);
  });
}

/** Filled anew for each file. */
let buffer: Buffer | undefined;

/**
 * Never more than one byte over what will be accepted, however big the file is. Read without waiting for one another:
 * nothing else is to be done meanwhile, and small files take a quarter of the time that promises for them do.
 */
function bytesOf(path: string): Uint8Array {
  buffer ??= Buffer.allocUnsafe(MAX_BYTES);
  try {
    const file = openSync(path, "r");
    try {
      return Uint8Array.prototype.slice.call(buffer, 0, fill(buffer, file));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** A pipe gives what it has, bit by bit. */
function fill(into: Buffer, file: number): number {
  let filled = 0;
  for (let more = -1; more !== 0 && filled < into.length; filled += more)
    more = readSync(file, into, filled, into.length - filled, null);
  return filled;
}

function unreadable(path: string, error: unknown): Fault {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown";
  const why = {
    ENOENT: "there is no such file or folder",
    EACCES: "you may not read it",
    EISDIR: "it is a folder",
  }[code];
  return new Fault("config", {
    code: "PathUnreadable",
    sentence: `${path} could not be read: ${why ?? code}.`,
    remedy: "Check the path; it is relative to the current directory.",
    cause: error,
  });
}

function tooMany(folder: string): Fault {
  return new Fault("config", {
    code: "TooManyFiles",
    sentence: `There are more than ${String(MAX_FILES)} YAML files below ${folder}.`,
    remedy: "Name the folder that holds the manifests.",
  });
}
