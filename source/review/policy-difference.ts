import { compareText } from "../compare-text.js";
import { policyReferences } from "../lint/policy-files.js";
import type { LocatedSource } from "../located-source.js";
import type { PolicyTree } from "./policy-tree.js";
import type { PolicyFileChange } from "./source-change.js";

interface OneSource {
  readonly base?: LocatedSource;
  readonly head?: LocatedSource;
}

/** Files of a source's policy that differ between the sides, sorted by path. */
export type FilesOf = (source: OneSource) => readonly PolicyFileChange[];

/** Compares every policy file once, so that asking for each source costs only what its policy names. */
export function policyDifference(base: PolicyTree, head: PolicyTree): FilesOf {
  const differing = new Map<string, PolicyFileChange>();
  for (const path of new Set([...base.policyFiles.keys(), ...head.policyFiles.keys()])) {
    const change = compare(path, base, head);
    if (change !== undefined) differing.set(path, change);
  }
  if (differing.size === 0) return () => [];
  return ({ base: before, head: after }) => {
    const used = new Set([...usedFiles(before, base), ...usedFiles(after, head)]);
    return [...used].sort(compareText).flatMap((path) => differing.get(path) ?? []);
  };
}

function compare(path: string, base: PolicyTree, head: PolicyTree): PolicyFileChange | undefined {
  const before = base.policyFiles.get(path);
  const after = head.policyFiles.get(path);
  if (before === after) return undefined;
  if (before === undefined) return { path, kind: "added" };
  return { path, kind: after === undefined ? "removed" : "changed" };
}

/** What a source's schemas and rules are read from: the files it names, and what they read. */
export function usedFiles(located: LocatedSource | undefined, tree: PolicyTree): readonly string[] {
  if (located === undefined) return [];
  return policyReferences(located).flatMap(({ file }) => tree.closures.get(file) ?? [file]);
}
