import type { LocatedSource } from "../located-source.js";
import type { PolicyTree } from "./policy-tree.js";

/** Labels that say who answers for a source, where CODEOWNERS names nobody. */
const LABELS = ["owner", "team"];

/** Who must approve a change of this source: CODEOWNERS, else its labels; empty = nobody is named. */
export function ownersOf(located: LocatedSource, tree: PolicyTree): readonly string[] {
  const owners = tree.ownersOf(located.file);
  if (owners.length > 0) return owners;
  const { labels = {} } = located.source.metadata;
  return LABELS.flatMap((label) => labels[label] ?? []);
}
