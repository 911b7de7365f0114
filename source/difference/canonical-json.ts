/** Deeper than any spec; what is below is not looked at. */
const MAX_DEPTH = 16;

/** JSON with the keys of every object in code-point order; absent fields are left out. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH)
    return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(",")}]`;
  const fields = Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child, depth + 1)}`);
  return `{${fields.join(",")}}`;
}
