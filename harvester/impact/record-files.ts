/** The .xml files of a folder, what they are called, and whose they are. */
import type { Dirent } from "node:fs";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { Fault } from "../fault.js";
import { formatOf } from "./format-of.js";
import type { NamedSource } from "./impact.js";

/** `harvestctl quarantine export` writes it beside the records. */
const INDEX = "index.ndjson";
const MOST_FILES = 100_000;
/** No gate is set to accept more: what is cut here is refused by its size. */
const MOST_BYTES = 128 * 1024 * 1024;
const MOST_INDEX_BYTES = 256 * 1024 * 1024;
/** Enough for a declaration, a comment and the first element. */
const HEAD_BYTES = 16 * 1024;

export interface RecordFile {
  /** Below the folder, with slashes. */
  readonly path: string;
  readonly identifier: string;
  /** Where the folder's index says so. */
  readonly source?: string;
}

/** By path. Throws Fault `config` when the folder cannot be read or holds no record. */
export async function findRecordFiles(folder: string): Promise<readonly RecordFile[]> {
  const entries = await entriesOf(folder);
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith(".xml"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
  if (paths.length === 0) throw unusable(folder, "there is no .xml file in it");
  if (paths.length > MOST_FILES) throw unusable(folder, `it holds more than ${String(MOST_FILES)} records`);
  const index = await readIndex(join(folder, INDEX));
  return paths.map((path) => ({ path, identifier: path, ...index.get(path) }));
}

/** The sources a file is a record of: those the index or its first folder names, else all that ask for its format. */
export async function sourcesOf(
  folder: string,
  file: RecordFile,
  sources: readonly NamedSource[],
): Promise<readonly string[]> {
  const top = file.path.split("/")[0];
  const named = sources.find(({ name }) => name === (file.source ?? top));
  if (named !== undefined) return [named.name];
  if (file.source !== undefined) return [];
  const prefix = formatOf(await headOf(join(folder, file.path)));
  return sources.filter((source) => source.prefix === prefix).map(({ name }) => name);
}

export async function readRecord(folder: string, { path }: RecordFile): Promise<Uint8Array> {
  const full = join(folder, path);
  const { size } = await stat(full).catch(() => ({ size: 0 }));
  if (size > MOST_BYTES) return new Uint8Array(MOST_BYTES + 1);
  return readFile(full).catch((error: unknown) => {
    throw unusable(full, codeOf(error));
  });
}

async function headOf(path: string): Promise<string> {
  const file = await open(path).catch((error: unknown) => {
    throw unusable(path, codeOf(error));
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead).toString("latin1");
  } finally {
    await file.close();
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw unusable(folder, codeOf(error));
  });
}

type Indexed = Pick<RecordFile, "identifier" | "source">;

/** Lines that are none of ours are passed over: the index only gives better names. */
async function readIndex(path: string): Promise<ReadonlyMap<string, Indexed>> {
  const found = new Map<string, Indexed>();
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  );
  if (size === 0 || size > MOST_INDEX_BYTES) return found;
  for (const line of (await readFile(path, "utf8")).split("\n")) {
    const { file, identifier, source } = parsed(line);
    if (typeof file !== "string" || typeof identifier !== "string") continue;
    found.set(file, { identifier, ...(typeof source === "string" ? { source } : {}) });
  }
  return found;
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function codeOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
  const why: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file or folder",
    ENOTDIR: "it is no folder",
    EACCES: "you may not read it",
  };
  return why[code] ?? code;
}

function unusable(path: string, why: string): Fault {
  return new Fault("config", {
    code: "RecordsUnreadable",
    sentence: `The records ${path} cannot be used: ${why}.`,
    remedy:
      "Name a folder with one XML file a record, for example one that harvestctl quarantine export wrote.",
  });
}
