import { createHash } from "node:crypto";
import { compareText } from "../compare-text.js";
import { canonicalJson } from "../difference/canonical-json.js";
import type { ReviewFacts } from "./facts.js";
import type { PolicyTree } from "./policy-tree.js";

/** SHA-256 in hex over all that a review looks at, but for the clock. */
export function reviewDigest(base: PolicyTree, head: PolicyTree, facts: ReviewFacts): string {
  const hash = createHash("sha256");
  for (const tree of [base, head]) hash.update(treeText(tree)).update("\n");
  hash.update(
    canonicalJson({ store: sorted(facts.store), live: sorted(facts.live), impact: facts.impact ?? null }),
  );
  return hash.digest("hex");
}

/** Labels are left out: the same files under another name of a commit are the same side. */
function treeText(tree: PolicyTree): string {
  const files = [...new Set(tree.sources.map(({ file }) => file))].sort(compareText);
  return JSON.stringify([
    sorted(tree.texts),
    sorted(tree.policyFiles),
    sorted(tree.closures),
    files.map((file) => [file, tree.ownersOf(file)]),
  ]);
}

function sorted<T>(map: ReadonlyMap<string, T> | undefined): readonly (readonly [string, T])[] | null {
  return map === undefined ? null : [...map].sort(([a], [b]) => compareText(a, b));
}
