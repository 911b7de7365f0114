import { basename, dirname, resolve } from "node:path";
import type { Finding } from "../../../source/finding.js";
import type { ManifestFile } from "../../manifest-files.js";
import type { LintSet } from "../lint-set.js";
import { repositoryTop } from "../repository-path.js";
import { Build } from "./build.js";
import { diskBelow } from "./disk.js";
import { kustomizationNames } from "./kustomization.js";
import { KustomizeFiles, type Disk } from "./kustomize-files.js";
import { BuildProblem, buildFinding } from "./problem.js";
import { readBuilt } from "./read-built.js";

export interface GatheredKustomizations {
  /** One for each kustomization that no other one uses: each is applied by itself, to a cluster of its own perhaps. */
  readonly sets: readonly LintSet[];
  /** Files that took part, as absolute paths: they are not looked at by themselves. */
  readonly used: ReadonlySet<string>;
  /** The same with their bytes, by the name findings use. */
  readonly files: readonly ManifestFile[];
}

function isKustomization(path: string): boolean {
  return kustomizationNames.includes(basename(path));
}

/** Builds every kustomization among the files. */
export function gatherKustomizations(files: readonly ManifestFile[]): GatheredKustomizations {
  const folders = [
    ...new Set(files.filter(({ path }) => isKustomization(path)).map(({ path }) => dirname(path))),
  ];
  const disk = unsavedFirst(files, diskBelow(repositoryTop(process.cwd()) ?? commonFolder(folders)));
  const built = folders.map((folder) => buildFolder(folder, disk));
  const inner = new Set(built.flatMap(({ entered }) => entered));
  const roots = built.filter(({ folder, component }) => !inner.has(resolve(folder)) && !component);
  const texts = new Map(built.flatMap((each) => [...each.texts]));
  return {
    sets: roots.map(({ set }) => set),
    used: new Set([...texts.keys()].map((path) => resolve(path))),
    files: [...texts].map(([path, bytes]) => ({ path, bytes, named: false })),
  };
}

interface BuiltFolder {
  readonly folder: string;
  /** A component is no set of objects: it changes those of whoever names it. */
  readonly component: boolean;
  readonly set: LintSet;
  readonly texts: ReadonlyMap<string, Uint8Array>;
  /** Folders of other kustomizations that it uses, as absolute paths. */
  readonly entered: readonly string[];
}

function buildFolder(folder: string, disk: Disk): BuiltFolder {
  const files = new KustomizeFiles(disk);
  const build = new Build(files);
  const { sets, problem } = attempt(build, folder);
  const findings = [...files.findings, ...build.findings, ...sets.findings, ...problem];
  return {
    folder,
    component: build.isComponent,
    set: { sources: sets.sources, findings },
    texts: files.texts,
    entered: [...build.folders].filter((each) => each !== resolve(folder)),
  };
}

function attempt(
  build: Build,
  folder: string,
): { readonly sets: LintSet; readonly problem: readonly Finding[] } {
  try {
    const read = build.run(folder).map(readBuilt);
    const sources = read.flatMap((each) => each.sources);
    return { sets: { sources, findings: read.flatMap((each) => each.findings) }, problem: [] };
  } catch (error) {
    if (!(error instanceof BuildProblem)) throw error;
    return { sets: { sources: [], findings: [] }, problem: [buildFinding(error)] };
  }
}

/** What an editor holds counts more than what is on the disk. */
function unsavedFirst(files: readonly ManifestFile[], disk: Disk): Disk {
  const given = new Map(files.map(({ path, bytes }) => [resolve(path), bytes]));
  return {
    isFolder: (path) => disk.isFolder(path),
    read: (path) => given.get(resolve(path)) ?? disk.read(path),
  };
}

function commonFolder(folders: readonly string[]): string {
  const parts = folders.map((folder) => resolve(folder).split("/"));
  const [first = []] = parts;
  const shared = first.findIndex((step, i) => parts.some((other) => other[i] !== step));
  const folder = (shared === -1 ? first : first.slice(0, shared)).join("/");
  return dirname(folder === "" ? "/" : folder);
}
