import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { canonicalJson, filledSpec, isSet } from "./content-hash.js";
import { difference, type FieldDifference } from "./field-difference.js";

type Spec = HarvestSource["spec"];
type Fields = Readonly<Record<string, unknown>>;

/** A set that is longer than this as JSON is told item by item: nobody finds the one that differs in it. */
const MAX_SET_TEXT = 200;
/** Deeper than any spec. */
const MAX_DEPTH = 16;

/** What differs between two specs, defaults filled in on both sides, sorted by path. Empty = they ask for the same. */
export function specDifferences(delivered: Spec, live: Spec): readonly FieldDifference[] {
  return compare(
    { path: "spec", field: "spec", delivered: filledSpec(delivered), live: filledSpec(live) },
    0,
  );
}

/** One place in both specs. */
interface Pair {
  readonly path: string;
  /** The last name of the path. */
  readonly field: string;
  readonly delivered: unknown;
  readonly live: unknown;
}

function compare(pair: Pair, depth: number): readonly FieldDifference[] {
  const { path, field, delivered, live } = pair;
  if (isFields(delivered) && isFields(live) && depth < MAX_DEPTH)
    return namesOf(delivered, live).flatMap((name) =>
      compare(
        { path: `${path}.${name}`, field: name, delivered: delivered[name], live: live[name] },
        depth + 1,
      ),
    );
  if (Array.isArray(delivered) && Array.isArray(live))
    return isSet(field)
      ? compareSets(path, delivered, live)
      : compareLists({ ...pair, delivered, live }, depth);
  return canonicalJson(delivered) === canonicalJson(live) ? [] : [difference(path, { delivered, live })];
}

function compareSets(
  path: string,
  delivered: readonly unknown[],
  live: readonly unknown[],
): readonly FieldDifference[] {
  const gone = without(delivered, live);
  const added = without(live, delivered);
  if (gone.length + added.length === 0) return [];
  if (canonicalJson([delivered, live]).length <= MAX_SET_TEXT) return [difference(path, { delivered, live })];
  return [
    ...gone.map((item) => difference(`${path}[${String(item)}]`, { delivered: item })),
    ...added.map((item) => difference(`${path}[${String(item)}]`, { live: item })),
  ];
}

/** By index where both are as long; else as a whole, because every index after an inserted item would differ. */
function compareLists(
  pair: { readonly path: string; readonly delivered: readonly unknown[]; readonly live: readonly unknown[] },
  depth: number,
): readonly FieldDifference[] {
  const { path, delivered, live } = pair;
  if (delivered.length !== live.length) return [difference(path, { delivered, live })];
  return delivered.flatMap((item, i) =>
    compare({ path: `${path}[${String(i)}]`, field: "", delivered: item, live: live[i] }, depth + 1),
  );
}

function without(items: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const known = new Set(others.map((other) => canonicalJson(other)));
  return items.filter((item) => !known.has(canonicalJson(item)));
}

function namesOf(a: Fields, b: Fields): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
