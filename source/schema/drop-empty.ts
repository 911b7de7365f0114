/** Deeper than any field of a manifest; an alias to a parent would never end. */
const MAX_DEPTH = 8;

type Fields = Record<string, unknown>;

/**
 * A copy of a manifest without its empty (null) fields, as the API server prunes them before it fills defaults in,
 * and the paths of those fields. Lists are left alone: an empty item is a mistake.
 */
export function dropEmpty(value: unknown): { readonly value: unknown; readonly empty: ReadonlySet<string> } {
  const empty = new Set<string>();
  return { value: prune(value, "", 0), empty };

  function prune(node: unknown, path: string, depth: number): unknown {
    if (typeof node !== "object" || node === null || Array.isArray(node) || depth > MAX_DEPTH) return node;
    const kept: Fields = {};
    for (const [key, child] of Object.entries(node)) {
      const here = path === "" ? key : `${path}.${key}`;
      if (child === null) empty.add(here);
      else {
        // Not by assignment: a field called __proto__ must stay a field, so that it is refused as unknown.
        const pruned = prune(child, here, depth + 1);
        Object.defineProperty(kept, key, {
          value: pruned,
          enumerable: true,
          writable: true,
          configurable: true,
        });
      }
    }
    return kept;
  }
}
