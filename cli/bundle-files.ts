/** The policy of a folder as the files of a bundle: regular files of schemas/ and rules/, and nothing from anywhere else. */
import type { Dirent } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { extname, join, posix, relative, sep } from "node:path";
import { contentsProblem } from "../source/bundle/bundle-contents.js";
import { bundleLimits } from "../source/bundle/bundle-limits.js";
import { Fault } from "../harvester/fault.js";

export interface PolicyFolder {
  /** By path relative to the root, with `/`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What is packed, or left out, and perhaps should not be: sentences. */
  readonly warnings: readonly string[];
}

/** What a pod reads. Everything else of a policy repository (manifests, fixtures, workflows) stays out. */
const FOLDERS = ["schemas", "rules"];
/** No published schema of any metadata standard is larger. */
const UNUSUAL_BYTES = 1024 * 1024;
const POLICY_KINDS = new Set(
  ".xsd .sch .xml .xsl .xslt .dtd .ent .rng .yaml .yml .json .txt .md .rst".split(" "),
);
const TEXTS_WITHOUT_ENDING = /^(LICEN[CS]E|NOTICE|README|COPYING|AUTHORS)$/i;

/**
 * Hidden files are passed over; links to files inside the root are followed. Throws Fault `config`: neither folder is
 * there, a link leads out or to a folder, a limit of bundles is exceeded.
 */
export async function readPolicyFolder(root: string): Promise<PolicyFolder> {
  const base = await realpath(root).catch((error: unknown) => {
    throw refused("NoRoot", `The policy root ${root} cannot be opened: ${reason(error)}.`, {
      remedy: "Name with --root the folder that holds schemas/ and rules/.",
      error,
    });
  });
  const files = new Map<string, Uint8Array>();
  const warnings: string[] = [];
  let bytes = 0;
  for await (const { path, full } of walk(base, warnings)) {
    const { size } = await stat(full);
    bytes += size;
    demandRoom({ path, size, bytes, count: files.size + 1 });
    files.set(path, await readFile(full));
    warnings.push(...warningsOf(path, size));
  }
  if (files.size === 0)
    throw refused("NoPolicy", `There is no file in schemas/ or rules/ of ${root}.`, {
      remedy: "Name with --root the folder that holds schemas/ and rules/.",
    });
  const problem = contentsProblem(files);
  if (problem !== undefined) throw refused("NotPackable", problem, { remedy: "Rename or remove the file." });
  return { files, warnings };
}

interface Found {
  readonly path: string;
  /** Where its bytes are: behind its links. */
  readonly full: string;
}

async function* walk(base: string, warnings: string[]): AsyncGenerator<Found, void, void> {
  const folders = [...FOLDERS];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of await entriesOf(base, folder)) {
      const path = posix.join(folder, entry.name);
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) yield { path, full: join(base, path) };
      else if (entry.isSymbolicLink()) yield { path, full: await linkTarget(base, path) };
      else warnings.push(`${path} is neither file nor folder and was left out.`);
    }
  }
}

async function entriesOf(base: string, folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(join(base, folder), { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    // One of the two may be missing: a policy without rule sets, say.
    if ((error as NodeJS.ErrnoException).code === "ENOENT" && FOLDERS.includes(folder)) return [];
    throw refused("PathUnreadable", `${folder} of the policy root cannot be read: ${reason(error)}.`, {
      remedy: "Check the rights on the folder.",
      error,
    });
  }
}

async function linkTarget(base: string, path: string): Promise<string> {
  const full = await realpath(join(base, path)).catch((error: unknown) => {
    throw refused("BrokenLink", `${path} is a link to nothing (${reason(error)}).`, {
      remedy: "Remove it, or mend its target.",
      error,
    });
  });
  const inside = relative(base, full);
  if (inside === ".." || inside.startsWith(`..${sep}`))
    throw refused("LinkOutside", `${path} is a link to a place outside the policy root.`, {
      remedy: "Put a copy of the file there: a bundle holds what is reviewed with it.",
    });
  if (!(await stat(full)).isFile())
    throw refused("LinkToFolder", `${path} is a link to a folder.`, {
      remedy: "Put the folder itself there: a pod has no links.",
    });
  return full;
}

interface Room {
  readonly path: string;
  readonly size: number;
  readonly bytes: number;
  readonly count: number;
}

/** Before a byte is read: nobody's memory is filled by a disk image that strayed into the folder. */
function demandRoom({ path, size, bytes, count }: Room): void {
  const { fileBytes, allBytes, files } = bundleLimits;
  const remedy = "Keep in schemas/ and rules/ only what sources name, and what that imports.";
  if (size > fileBytes)
    throw refused("TooBig", `${path} has ${String(size)} bytes; at most ${String(fileBytes)} are packed.`, {
      remedy,
    });
  if (bytes > allBytes)
    throw refused("TooBig", `With ${path} the files have more than ${String(allBytes)} bytes together.`, {
      remedy,
    });
  if (count > files)
    throw refused("TooMany", `There are more than ${String(files)} files in schemas/ and rules/.`, {
      remedy,
    });
}

function warningsOf(path: string, size: number): readonly string[] {
  const known =
    POLICY_KINDS.has(extname(path).toLowerCase()) || TEXTS_WITHOUT_ENDING.test(posix.basename(path));
  return [
    ...(size > UNUSUAL_BYTES ? [`${path} has ${String(size)} bytes, which is much for a policy file.`] : []),
    ...(known ? [] : [`${path} looks like no schema and no rule set; it was packed all the same.`]),
  ];
}

function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
  const words: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file or folder",
    EACCES: "you may not read it",
    ENOTDIR: "it is no folder",
    ELOOP: "its links go in a circle",
  };
  return words[code] ?? code;
}

function refused(
  code: string,
  sentence: string,
  more: { readonly remedy: string; readonly error?: unknown },
): Fault {
  return new Fault("config", { code, sentence, remedy: more.remedy, cause: more.error });
}
