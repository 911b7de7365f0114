import { posix, relative, resolve, sep } from "node:path";
import { Fault } from "../../harvester/fault.js";
import type { Side } from "./side.js";

/** Which files of a side are the policy. Paths are from the root of the side, with `/`; "" is all of it. */
export interface PolicyPaths {
  /** Files and folders of manifests. */
  readonly manifests: readonly string[];
  /** Nobody named them: what only looks like a manifest is passed over without a word. */
  readonly byDefault: boolean;
  /** What paths in a manifest are relative to. */
  readonly root: string;
}

/** Folders that hold no manifests, as lint passes them over too (cli/manifest-files.ts). */
const PASSED_OVER = new Set(["node_modules", "dist"]);

/** Manifests of a side by path; true: the file was named itself, so it must be one. */
export function manifestPaths(
  side: Side,
  { manifests, byDefault }: PolicyPaths,
): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  const sorted = [...side.files].sort();
  for (const wanted of manifests) {
    if (side.files.has(wanted)) found.set(wanted, !byDefault);
    for (const path of sorted) if (isBelow(path, wanted) && !found.has(path)) found.set(path, false);
  }
  return found;
}

/** Throws Fault `config` when a path that somebody named is on neither side. */
export function refuseNowhere({ manifests, byDefault }: PolicyPaths, sides: readonly Side[]): void {
  const missing = manifests.find((wanted) => !sides.some((side) => isThere(side, wanted)));
  if (missing === undefined || byDefault) return;
  throw new Fault("config", {
    code: "PathUnreadable",
    sentence: `There is no ${missing} on either side.`,
    remedy: "Check the path; it is relative to the current directory.",
  });
}

function isThere({ files }: Side, wanted: string): boolean {
  return files.has(wanted) || [...files].some((path) => isInside(path, wanted));
}

/** Files of rules/ and schemas/ of a side, sorted, from the root of the side. */
export function policyFilePaths(side: Side, root: string): readonly string[] {
  const folders = ["rules/", "schemas/"].map((folder) => posix.join(root, folder));
  return [...side.files].filter((path) => folders.some((folder) => path.startsWith(folder))).sort();
}

/** Links and submodules where a policy was looked for: what they lead to is not known. */
export function passedOverIn(side: Side, { manifests, root }: PolicyPaths): readonly string[] {
  const folders = [...manifests, posix.join(root, "rules"), posix.join(root, "schemas")];
  return [...side.passedOver]
    .filter((path) => folders.some((folder) => path === folder || isInside(path, folder)))
    .filter((path) => /\.(ya?ml|sch|xsd)$/i.test(path) || !/\.[^/]*$/.test(path))
    .sort();
}

/**
 * A path as the user gave it → from the root of the side. `top` and `cwd` are absolute and without links. Throws Fault
 * `config` when it leads outside.
 */
export function pathFromTop(
  given: string,
  { top, cwd }: { readonly top: string; readonly cwd: string },
): string {
  const path = relative(top, resolve(cwd, given)).split(sep).join("/");
  if (path !== ".." && !path.startsWith("../") && !posix.isAbsolute(path) && !/^[a-z]:/i.test(path))
    return path;
  throw new Fault("config", {
    code: "OutsideRepository",
    sentence: `${JSON.stringify(given)} lies outside the repository, so it has no other version to compare with.`,
    remedy: "Name files and folders of the policy repository.",
  });
}

function isBelow(path: string, folder: string): boolean {
  if (!/\.ya?ml$/i.test(path) || !isInside(path, folder)) return false;
  const steps = path.slice(folder === "" ? 0 : folder.length + 1).split("/");
  return steps.slice(0, -1).every((step) => !step.startsWith(".") && !PASSED_OVER.has(step));
}

function isInside(path: string, folder: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}
