import { compareText } from "../compare-text.js";
import { canonicalJson } from "../difference/canonical-json.js";
import { withSortedSets } from "../difference/sets.js";
import { groupBy } from "../group-by.js";
import type { LocatedSource } from "../located-source.js";
import { fieldChanges } from "./field-changes.js";
import { policyDifference, type FilesOf } from "./policy-difference.js";
import type { PolicyTree } from "./policy-tree.js";
import type { SourceChange } from "./source-change.js";
import { keyOf } from "./source-key.js";
import { parseAddress } from "../address.js";

type Sources = Map<string, LocatedSource>;

/**
 * What becomes of each source, sorted by key; one entry a source, the unchanged ones too. Sources are paired by
 * namespace and name. Of those left over, an old and a new one that ask for the same are one renamed source. Where a name
 * stands twice on a side (lint refuses it) the first one counts. Comments, the order of keys and quoting change nothing.
 */
export function pairSources(base: PolicyTree, head: PolicyTree): readonly SourceChange[] {
  const filesOf = policyDifference(base, head);
  const before = byKey(base.sources);
  const after = byKey(head.sources);
  const both = [...after].flatMap(([key, located]) => {
    const old = before.get(key);
    return old === undefined ? [] : [paired("changed", { base: old, head: located }, filesOf)];
  });
  const gone = new Map([...before].filter(([key]) => !after.has(key)));
  const fresh = new Map([...after].filter(([key]) => !before.has(key)));
  const renamed = takeRenamed(gone, fresh).map((pair) => paired("renamed", pair, filesOf));
  const removed = [...gone].map(([key, old]): SourceChange => ({
    kind: "removed",
    key,
    base: old,
    files: filesOf({ base: old }),
  }));
  const added = [...fresh].map(([key, located]): SourceChange => ({
    kind: "added",
    key,
    head: located,
    files: filesOf({ head: located }),
  }));
  return [...both, ...renamed, ...removed, ...added].sort((a, b) => compareText(a.key, b.key));
}

interface Pair {
  readonly base: LocatedSource;
  readonly head: LocatedSource;
}

function paired(as: "changed" | "renamed", { base, head }: Pair, filesOf: FilesOf): SourceChange {
  const fields = fieldChanges(base, head);
  const files = filesOf({ base, head });
  const moved = base.file === head.file ? {} : { movedFrom: base.file };
  const same = as === "changed" && fields.length + files.length === 0 && base.file === head.file;
  return { kind: same ? "unchanged" : as, key: keyOf(head), base, head, fields, files, ...moved };
}

function byKey(sources: readonly LocatedSource[]): Sources {
  const found: Sources = new Map();
  for (const located of sources) {
    const key = keyOf(located);
    if (!found.has(key)) found.set(key, located);
  }
  return found;
}

/** From the most alike to the least: what a source asks for is what makes it the same one. */
const likenesses: readonly ((located: LocatedSource) => string)[] = [
  (located) => `${located.source.metadata.name} ${specText(located)}`,
  (located) => `${located.source.metadata.name} ${askedFor(located)}`,
  specText,
  askedFor,
];

/** Takes the pairs out of both maps. */
function takeRenamed(gone: Sources, fresh: Sources): readonly Pair[] {
  return likenesses.flatMap((likeness) => {
    const waiting = groupBy(inOrder(gone), likeness);
    return inOrder(fresh).flatMap((head) => {
      const base = waiting.get(likeness(head))?.shift();
      if (base === undefined) return [];
      gone.delete(keyOf(base));
      fresh.delete(keyOf(head));
      return [{ base, head }];
    });
  });
}

/** By key, so that the order of files decides nothing. */
function inOrder(sources: Sources): readonly LocatedSource[] {
  return [...sources].sort(([a], [b]) => compareText(a, b)).map(([, located]) => located);
}

function specText({ source }: LocatedSource): string {
  return canonicalJson(withSortedSets(source.spec));
}

function askedFor({ source }: LocatedSource): string {
  const { baseUrl, sets, metadataPrefix } = source.spec;
  const endpoint = parseAddress(baseUrl)?.href ?? baseUrl;
  return JSON.stringify([endpoint, metadataPrefix, sets === undefined ? null : [...sets].sort()]);
}
