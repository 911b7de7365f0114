/** Reads policy files and whatever they import or include, from inside one folder and nowhere else. */
import { readFile, realpath, stat } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";
import { Fault } from "./fault.js";
import type { PolicyFile } from "./gate/gate.js";
import { referencesOf, resolveReference } from "./xml/references.js";
import { readSource } from "./xml/source-tree.js";

/** The official ISO 19115-3 set has 131 files; none is larger than a megabyte. */
const MAX_FILES = 2000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Where a path is written: in the manifest, or in a line of another policy file. */
interface Asker {
  readonly file?: string;
  readonly line?: number;
}

/**
 * All files reachable from the entries, sorted by path. Throws Fault `config` with a sentence that names file and line:
 * missing, outside the folder (also through a symbolic link), not well-formed, or on another machine.
 */
export async function readPolicyFiles(
  root: string,
  entries: readonly string[],
): Promise<readonly PolicyFile[]> {
  const base = await realRoot(root);
  const found = new Map<string, PolicyFile>();
  const queue = entries.map((path): { path: string; asker: Asker } => ({
    path: policyPath(path),
    asker: {},
  }));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (found.has(next.path)) continue;
    if (found.size >= MAX_FILES)
      throw unusable(next.asker, `More than ${String(MAX_FILES)} files are imported.`);
    const file = { path: next.path, bytes: await readInside(base, next.path, next.asker) };
    found.set(file.path, file);
    queue.push(...imported(file));
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** An entry as written in a manifest, made canonical: `./rules//a.sch` is `rules/a.sch`. */
export function policyPath(written: string): string {
  const path = posix.normalize(written.replaceAll("\\", "/")).replace(/^\.\//, "");
  if (
    posix.isAbsolute(path) ||
    path === ".." ||
    path.startsWith("../") ||
    /^[a-z][a-z0-9+.-]*:/i.test(path)
  ) {
    throw unusable({}, `The policy file ${shown(written)} lies outside the policy folder.`);
  }
  return path;
}

async function realRoot(root: string): Promise<string> {
  try {
    return await realpath(root);
  } catch (cause) {
    throw unusable({}, `The policy folder ${root} cannot be opened: ${reason(cause)}.`, cause);
  }
}

async function readInside(base: string, path: string, asker: Asker): Promise<Uint8Array> {
  const real = await realpath(join(base, path)).catch((cause: unknown) => {
    throw unusable(asker, `The policy file ${shown(path)} cannot be opened: ${reason(cause)}.`, cause);
  });
  const inside = relative(base, real);
  if (inside === ".." || inside.startsWith(`..${sep}`)) {
    throw unusable(asker, `The policy file ${shown(path)} is a link to a place outside the policy folder.`);
  }
  const { size } = await stat(real);
  if (size > MAX_BYTES)
    throw unusable(
      asker,
      `The policy file ${shown(path)} has ${String(size)} bytes; at most ${String(MAX_BYTES)} are read.`,
    );
  return readFile(real).catch((cause: unknown) => {
    throw unusable(asker, `The policy file ${shown(path)} cannot be read: ${reason(cause)}.`, cause);
  });
}

function imported(file: PolicyFile): readonly { path: string; asker: Asker }[] {
  const read = readSource(file.path, file.bytes);
  if (read.kind === "broken") {
    const [first] = read.problems;
    const asker = { file: file.path, ...(first?.line !== undefined && { line: first.line }) };
    throw unusable(asker, `The file is not well-formed XML: ${first?.message ?? "it cannot be read"}.`);
  }
  return referencesOf(read.root).map(({ href, line }) => {
    const asker = { file: file.path, line };
    const path = resolveReference(file.path, href);
    if (path === undefined) {
      throw unusable(
        asker,
        `${shown(href)} is imported, but policy files are read from the policy folder alone: put a copy there and name it by a relative path.`,
      );
    }
    return { path, asker };
  });
}

function unusable(asker: Asker, sentence: string, cause?: unknown): Fault {
  const place = asker.file === undefined ? "" : `${asker.file}:${String(asker.line ?? 0)}: `;
  return new Fault("config", {
    code: "PolicyFile",
    sentence: `${place}${sentence}`,
    remedy: "Correct the path or the file; harvestctl lint checks all policy files of a manifest.",
    cause,
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "a part of the path is not a folder",
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  ELOOP: "its links go in a circle",
};

function reason(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return REASONS[code] ?? (code === "" ? "unknown reason" : code);
}

function shown(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path;
}
