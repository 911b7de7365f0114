import type { PolicyTree } from "../../source/review/policy-tree.js";
import { keyOf } from "../../source/review/source-key.js";
import type { TextPair } from "../format/review/yaml-diff.js";

interface Trees {
  readonly base: PolicyTree;
  readonly head: PolicyTree;
}

/** Manifests whose text differs, by path, in the order of paths; a file that was moved is compared with what it was. */
export function differingTexts({ base, head }: Trees): ReadonlyMap<string, TextPair> {
  const before = movedFiles({ base, head });
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
function movedFiles({ base, head }: Trees): ReadonlyMap<string, string> {
  const files = new Map(base.sources.map((located) => [keyOf(located), located.file]));
  const moved = new Map<string, string>();
  for (const located of head.sources) {
    const file = files.get(keyOf(located));
    if (file !== undefined && !base.texts.has(located.file) && !head.texts.has(file))
      moved.set(located.file, file);
  }
  return moved;
}
