import { pathText } from "../schema/field-path.js";
import type { Path } from "../yaml/node-place.js";
import { canonicalJson } from "./canonical-json.js";
import { isSet } from "./sets.js";

type Fields = Readonly<Record<string, unknown>>;

/** One place at which two values differ; undefined = there is nothing on that side. */
export interface ValueDifference {
  readonly path: Path;
  /** Of a long set: the item that only one side has. */
  readonly item?: unknown;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Its place as people name it: `spec.sets`, `spec.validation.xsd[1]`, or of a long set `spec.sets[parcels]`. */
export function differenceText({ path, item }: ValueDifference): string {
  return item === undefined ? pathText(path) : `${pathText(path)}[${String(item)}]`;
}

/** One place in both values. */
interface Pair {
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
}

/** A set that is longer than this as JSON is told item by item: nobody finds the one that differs in it. */
const MAX_SET_TEXT = 200;
/** Deeper than any spec. */
const MAX_DEPTH = 16;

/** What differs, by field and sorted by path. Empty = they ask for the same; the order in a set does not count. */
export function compareValues(pair: Pair, depth = 0): readonly ValueDifference[] {
  const { path, before, after } = pair;
  if (isFields(before) && isFields(after) && depth < MAX_DEPTH)
    return namesOf(before, after).flatMap((name) =>
      compareValues({ path: [...path, name], before: before[name], after: after[name] }, depth + 1),
    );
  if (Array.isArray(before) && Array.isArray(after))
    return isSet(String(path.at(-1)))
      ? compareSets(path, before, after)
      : compareLists({ path, before, after }, depth);
  return canonicalJson(before) === canonicalJson(after) ? [] : [{ path, before, after }];
}

function compareSets(
  path: Path,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly ValueDifference[] {
  const gone = without(before, after);
  const added = without(after, before);
  if (gone.length + added.length === 0) return [];
  if (canonicalJson([before, after]).length <= MAX_SET_TEXT) return [{ path, before, after }];
  return [
    ...gone.map((item) => ({ path, item, before: item })),
    ...added.map((item) => ({ path, item, after: item })),
  ];
}

/** By index where both are as long; else as a whole, because every index after an inserted item would differ. */
function compareLists(
  pair: { readonly path: Path; readonly before: readonly unknown[]; readonly after: readonly unknown[] },
  depth: number,
): readonly ValueDifference[] {
  const { path, before, after } = pair;
  if (before.length !== after.length) return [{ path, before, after }];
  return before.flatMap((item, i) =>
    compareValues({ path: [...path, i], before: item, after: after[i] }, depth + 1),
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
