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
  const owner = live.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return isMarked(live, source) ? ownedUnlessGoing(live, "orphan") : stranger(live);
  if (owner.uid === source.metadata.uid) return ownedUnlessGoing(live, "ours");
  const sameName = owner.kind === source.kind && owner.name === source.metadata.name;
  return sameName ? ownedUnlessGoing(live, "orphan") : theirs(live, `${owner.kind} ${owner.name}`);
}

function ownedUnlessGoing({ metadata }: KubeObject, kind: "ours" | "orphan"): Ownership {
  return { kind: metadata.deletionTimestamp === undefined ? kind : "going" };
}

function isMarked({ metadata }: KubeObject, source: LiveSource): boolean {
  const { [managedBy.key]: by, [labels.source]: of } = metadata.labels ?? {};
  return by === managedBy.value && of === source.metadata.name;
}

function stranger(live: KubeObject): Ownership {
  return theirs(live, "somebody who left no owner reference");
}

function theirs(live: KubeObject, owner: string): Ownership {
  return {
    kind: "theirs",
    sentence: `${live.kind} ${keyOf(live)} already exists and belongs to ${owner}; it is not touched. Rename or remove it, or rename the source.`,
  };
}
