import { basename, resolve } from "node:path";
import type { Finding } from "../../source/finding.js";
import type { SuppressibleSource } from "../../source/lint/suppression.js";
import { parseManifests } from "../../source/parse.js";
import { readManifestFiles, type ManifestFile } from "../manifest-files.js";
import type { LintSet } from "./lint-set.js";
import { kustomizationNames } from "./kustomize/kustomization.js";

export interface GatheredManifests {
  readonly files: readonly ManifestFile[];
  readonly sets: readonly LintSet[];
}

/** A text that an editor holds and has not saved yet. */
export interface Unsaved {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads the files and folders, with the unsaved text in place of its file. Throws Fault `config`. */
export async function gatherManifests(
  paths: readonly string[],
  unsaved?: Unsaved,
): Promise<GatheredManifests> {
  const saved = paths.length === 0 ? [] : await readManifestFiles(paths);
  const files = unsaved === undefined ? saved : withUnsaved(saved, unsaved);
  if (!files.some(({ path }) => kustomizationNames.includes(basename(path))))
    return { files, sets: [parseAll(files)] };
  const { gatherKustomizations } = await import("./kustomize/gather-kustomizations.js");
  const built = gatherKustomizations(files);
  const alone = files.filter(({ path }) => !built.used.has(resolve(path)));
  return { files: [...alone, ...built.files], sets: [parseAll(alone), ...built.sets] };
}

function withUnsaved(files: readonly ManifestFile[], { name, bytes }: Unsaved): readonly ManifestFile[] {
  const others = files.filter(({ path }) => resolve(path) !== resolve(name));
  return [...others, { path: name, bytes, named: true }];
}

function parseAll(files: readonly ManifestFile[]): LintSet {
  const sources: SuppressibleSource[] = [];
  const findings: Finding[] = [];
  for (const { path, bytes, named } of files) {
    const parsed = parseManifests(bytes, { file: path, named });
    sources.push(...parsed.sources);
    findings.push(...parsed.findings);
  }
  return { sources, findings };
}
