import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, relative, resolve, sep, isAbsolute } from "node:path";
import { Fault } from "../../harvester/fault.js";
import { fixManifests } from "../../source/fix/fix-manifests.js";
import type { Finding } from "../../source/finding.js";
import { readManifestFiles, type ManifestFile } from "../manifest-files.js";
import { replaceFile } from "./replace-file.js";
import { repositoryTop } from "./repository-path.js";

/** One file that was mended, or would be. */
export interface FixedFile {
  /** As it was named, or found below a folder that was. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly mended: readonly Finding[];
}

/** What mending these files and folders would change; nothing is written. Files that are no text are left out. */
export async function planFixes(paths: readonly string[]): Promise<readonly FixedFile[]> {
  const files = await readManifestFiles(paths);
  return files.flatMap((file) => planOne(file) ?? []);
}

/**
 * Writes what was planned, each file at once or not at all. Throws Fault `config`, before anything is written, when a
 * file is reached by a link that leads out of the folder or repository it was named in.
 */
export async function writeFixes(files: readonly FixedFile[], paths: readonly string[]): Promise<void> {
  const targets = await Promise.all(files.map((file) => targetOf(file.path, paths)));
  for (const [i, { path, before, after }] of files.entries()) {
    const target = targets[i] ?? path;
    if ((await readFile(target, "utf8")) !== before) throw changedMeanwhile(path);
    await replaceFile(target, after);
  }
}

/** Comments may hold anything, but what is no UTF-8 would not come back byte for byte. */
function planOne({ path, bytes }: ManifestFile): FixedFile | undefined {
  let before: string;
  try {
    before = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
  const mark = before.startsWith("\ufeff") ? "\ufeff" : "";
  const { text, mended } = fixManifests(before.slice(mark.length), path);
  return mended.length === 0 ? undefined : { path, before, after: mark + text, mended };
}

/** Where the file really lies. */
async function targetOf(path: string, named: readonly string[]): Promise<string> {
  const target = await realpath(path);
  const folders = await Promise.all(
    named.filter((each) => contains(resolve(each), resolve(path))).map(homeOf),
  );
  if (folders.some((folder) => contains(folder, target))) return target;
  throw new Fault("config", {
    code: "LinkLeadsOut",
    sentence: `${path} is a link that leads out of what was named, so nothing was mended.`,
    remedy: "Name the file it leads to.",
  });
}

/** What a named path speaks for: its repository, or the folder itself outside of one. */
async function homeOf(named: string): Promise<string> {
  const top = repositoryTop(dirname(resolve(named)));
  return realpath(top ?? (await folderOf(named)));
}

async function folderOf(named: string): Promise<string> {
  return (await stat(named)).isDirectory() ? named : dirname(named);
}

function contains(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

function changedMeanwhile(path: string): Fault {
  return new Fault("config", {
    code: "ChangedMeanwhile",
    sentence: `${path} was changed by somebody else while it was being mended; it was left as it is.`,
    remedy: "Run the command again.",
  });
}
