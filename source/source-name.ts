import type { HarvestSource } from "./harvest-source.generated.js";

/** namespace/name, or the name alone: how a source is called in sentences, facts and rows, and by the store of a cluster. */
export function nameOf(source: HarvestSource): string {
  const { name, namespace } = source.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** What a store may call it, the likelier first: a run on one machine leaves the namespace out. */
export function storeNames(source: HarvestSource): readonly string[] {
  return [...new Set([nameOf(source), source.metadata.name])];
}
