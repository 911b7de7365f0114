import { constants } from "node:fs";
import { open, realpath, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../../harvester/fault.js";
import { refuseTooBig, refuseTooMany, zeros } from "./side.js";

/** Files below one folder of the disk, by path from it. */
export interface DiskWish {
  /** Without links. */
  readonly folder: string;
  readonly paths: readonly string[];
  readonly maxBytes: number;
  readonly label: string;
}

/** Reads each file once, through no link, and not more of it than is wanted. Throws Fault `config`. */
export async function readDisk({
  folder,
  paths,
  maxBytes,
  label,
}: DiskWish): Promise<ReadonlyMap<string, Uint8Array>> {
  refuseTooMany(paths, label);
  const found = new Map<string, Uint8Array>();
  let total = 0;
  const straight = new Map<string, boolean>();
  for (const path of paths) {
    const parent = dirname(join(folder, path));
    if (!straight.has(parent)) straight.set(parent, await isStraight(parent));
    if (straight.get(parent) === false) continue;
    const bytes = await readOne(folder, { path, maxBytes });
    total += bytes.length > maxBytes ? 0 : bytes.length;
    refuseTooBig([total], label);
    found.set(path, bytes);
  }
  return found;
}

/** No folder on the way is a link: it could lead anywhere. */
export async function isStraight(folder: string): Promise<boolean> {
  return realpath(folder).then(
    (real) => real === folder,
    () => false,
  );
}

async function readOne(
  folder: string,
  { path, maxBytes }: { readonly path: string; readonly maxBytes: number },
): Promise<Uint8Array> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(join(folder, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size } = await handle.stat();
    return size > maxBytes ? zeros(size) : await handle.readFile();
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await handle?.close();
  }
}

function unreadable(path: string, error: unknown): Fault {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
  const gone = code === "ENOENT" || code === "ELOOP";
  return new Fault("config", {
    code: gone ? "FileVanished" : "PathUnreadable",
    sentence: gone
      ? `${JSON.stringify(path)} was deleted or replaced while it was about to be read.`
      : `${JSON.stringify(path)} could not be read: ${code}.`,
    remedy: gone ? "Run again when nobody changes the files." : "Check the rights on the file.",
    cause: error,
  });
}
