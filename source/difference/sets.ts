/** Fields that are sets (x-kubernetes-list-type: set in crds/): their order says nothing. */
const SETS: ReadonlySet<string> = new Set(["sets", "allowedRedirectOrigins"]);

/** Deeper than any spec; what is below is left as it is. */
const MAX_DEPTH = 16;

/** True for a field whose list is a set. */
export function isSet(field: string): boolean {
  return SETS.has(field);
}

/** The same value with its sets sorted. */
export function withSortedSets(value: unknown, field = "", depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return isSet(field) ? [...value].sort() : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, withSortedSets(child, key, depth + 1)]),
  );
}
