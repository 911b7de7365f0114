import type { PolicyTree } from "../../source/review/policy-tree.js";
import type { Review } from "../../source/review/review.js";
import { keyOf } from "../../source/review/source-key.js";
import type { TextPair } from "../format/review/yaml-diff.js";

interface Sides {
  readonly base: PolicyTree;
  readonly head: PolicyTree;
  readonly review: Review;
}

/** Manifests whose text differs, by path, in the order of paths; a file that was moved is compared with what it was. */
export function differingTexts({ base, head, review }: Sides): ReadonlyMap<string, TextPair> {
  const before = movedFiles({ base, head, review });
  const moved = new Set(before.values());
  const paths = [...new Set([...base.texts.keys(), ...head.texts.keys()])].sort();
  const pairs = new Map<string, TextPair>();
  for (const path of paths) {
    const pair = { before: base.texts.get(before.get(path) ?? path), after: head.texts.get(path) };
    if (pair.before !== pair.after && !(pair.after === undefined && moved.has(path))) pairs.set(path, pair);
  }
  return pairs;
}

/** File of the head → the file of the base that its source stood in, where the one is new and the other gone. */
function movedFiles({ base, head, review }: Sides): ReadonlyMap<string, string> {
  const before = new Map(base.sources.map((located) => [keyOf(located), located.file]));
  const pairs = head.sources.map((located) => [located.file, before.get(keyOf(located))] as const);
  const renamed = review.changes.flatMap((change) =>
    change.kind === "renamed" ? [[change.head.file, change.base.file] as const] : [],
  );
  const moved = new Map<string, string>();
  for (const [file, old] of [...pairs, ...renamed])
    if (old !== undefined && !base.texts.has(file) && !head.texts.has(old)) moved.set(file, old);
  return moved;
}
