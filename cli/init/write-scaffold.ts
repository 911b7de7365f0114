import type { Stats } from "node:fs";
import { lstat, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../../harvester/fault.js";
import type { Scaffold } from "./package-files.js";

export interface Written {
  /** Paths in the folder, sorted. */
  readonly written: readonly string[];
  /** Those that were there before. */
  readonly overwritten: readonly string[];
}

/** A repository just made by `git init`, and what file browsers leave behind, are no content. */
const NO_CONTENT = new Set([".git", ".DS_Store"]);

/**
 * Writes the scaffold into the folder, which is made when it is missing. Without `force` the folder must be empty; with it
 * files of the scaffold are written over, others are left alone. Never through a symbolic link. Throws Fault `config`.
 */
export async function writeScaffold(folder: string, scaffold: Scaffold, force: boolean): Promise<Written> {
  await mustBeFree(folder, force);
  const paths = [...scaffold.keys()].sort();
  const overwritten: string[] = [];
  // Everything is looked at before anything is written: a refusal leaves the folder as it was.
  for (const path of paths) if (await standsAlready(folder, path)) overwritten.push(path);
  for (const path of paths) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, scaffold.get(path) ?? "", { flag: force ? "w" : "wx" });
  }
  return { written: paths, overwritten };
}

async function mustBeFree(folder: string, force: boolean): Promise<void> {
  const there = await readdir(folder).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    throw refused(
      `${folder} is no folder that can be written: ${code ?? String(error)}.`,
      "Name another one.",
    );
  });
  const content = there.filter((name) => !NO_CONTENT.has(name)).sort();
  if (content.length === 0 || force) return;
  const shown = content.slice(0, 5).join(", ");
  const more = content.length > 5 ? ` and ${String(content.length - 5)} more` : "";
  throw refused(
    `${folder} is not empty: it holds ${shown}${more}.`,
    "Name a new folder; or --force, which writes over files of the same names and leaves others alone.",
  );
}

/** Is there a file? A link, or a file where a folder must be, would lead the text elsewhere. */
async function standsAlready(folder: string, path: string): Promise<boolean> {
  const steps = path.split("/");
  for (let i = 1; i < steps.length; i += 1) {
    const found = await stats(join(folder, ...steps.slice(0, i)));
    if (found === undefined) return false;
    if (!found.isDirectory()) throw inTheWay(join(folder, ...steps.slice(0, i)), "folder");
  }
  const found = await stats(join(folder, path));
  if (found !== undefined && !found.isFile()) throw inTheWay(join(folder, path), "file");
  return found !== undefined;
}

async function stats(path: string): Promise<Stats | undefined> {
  return lstat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
}

function inTheWay(path: string, wanted: string): Fault {
  return refused(
    `${path} is in the way: a ${wanted} is to stand there.`,
    "Move it away. Nothing was written.",
  );
}

function refused(sentence: string, remedy: string): Fault {
  return new Fault("config", { code: "FolderNotFree", sentence, remedy });
}
