import { keyOf, type KubeObject, type LiveSource } from "../object.js";
import { labels, managedBy } from "../names.js";

/** Whose is an object that has a name of ours? */
export type Ownership =
  | { readonly kind: "ours" }
  /** Of an earlier source of this name, or its owner reference was taken off: it becomes ours. */
  | { readonly kind: "orphan" }
  /** On its way out: wait for it to go, never adopt it. */
  | { readonly kind: "going" }
  | { readonly kind: "theirs"; readonly sentence: string };

/** Only what says that it is ours is written to: a child somebody else owns is told, not taken. */
export function ownershipOf(live: KubeObject, source: LiveSource): Ownership {
  const { metadata } = live;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner?.uid === source.metadata.uid) return going(live) ? { kind: "going" } : { kind: "ours" };
  if (owner !== undefined && !(owner.kind === source.kind && owner.name === source.metadata.name))
    return theirs(live, `${owner.kind} ${owner.name}`);
  if (going(live)) return { kind: "going" };
  const marked =
    metadata.labels?.[managedBy.key] === managedBy.value &&
    metadata.labels[labels.source] === source.metadata.name;
  return owner !== undefined || marked
    ? { kind: "orphan" }
    : theirs(live, "somebody who left no owner reference");
}

function going({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function theirs(live: KubeObject, owner: string): Ownership {
  return {
    kind: "theirs",
    sentence: `${live.kind} ${keyOf(live)} already exists and belongs to ${owner}; it is not touched. Rename or remove it, or rename the source.`,
  };
}
