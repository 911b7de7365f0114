import type { LocatedSource } from "../located-source.js";
import { nameOf } from "../source-name.js";
import type { SourceChange } from "./source-change.js";

/** namespace/name, or the name alone: how a source is called in facts, rows and sentences. */
export function keyOf({ source }: LocatedSource): string {
  return nameOf(source);
}

/** The key of what the store and the cluster know by now: a renamed source is still there under its old name. */
export function knownKey(change: SourceChange): string {
  return change.kind === "added" ? change.key : keyOf(change.base);
}
