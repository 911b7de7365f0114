import type { Json, JsonObject } from "../object.js";

/**
 * A fieldsV1 tree (Kubernetes "Server-Side Apply"): f:<name> a field, k:{keys} an item of a keyed list, v:<value> an item
 * of a set, "." the thing itself. An empty tree owns its field whole.
 */
export type FieldSet = JsonObject;

/** Deeper than any tree the API server writes; what is below is not looked at. */
const MAX_DEPTH = 64;

export function childSet(set: FieldSet, key: string): FieldSet | undefined {
  const child = Object.hasOwn(set, key) ? set[key] : undefined;
  return isObject(child) ? child : undefined;
}

export function isLeaf(set: FieldSet): boolean {
  return Object.keys(set).every((key) => key === ".");
}

/** Everything either of them owns. */
export function mergeSets(a: FieldSet, b: FieldSet, depth = 0): FieldSet {
  if (depth > MAX_DEPTH) return a;
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return Object.fromEntries(
    keys.map((key) => [key, mergeSets(childSet(a, key) ?? {}, childSet(b, key) ?? {}, depth + 1)]),
  );
}

/**
 * The topmost places `set` has and `other` has not, as paths of keys. An empty tree of `other` covers nothing below it:
 * a field that is one value has nothing below in any tree, so it was an empty object there.
 */
export function missingFrom(
  set: FieldSet,
  other: FieldSet,
  path: readonly string[] = [],
): readonly string[][] {
  if (path.length > MAX_DEPTH) return [];
  return Object.keys(set).flatMap((key) => {
    if (key === ".") return [];
    const here = [...path, key];
    const theirs = childSet(other, key);
    if (theirs === undefined) return [here];
    return missingFrom(childSet(set, key) ?? {}, theirs, here);
  });
}

/** The set without these top-level keys; undefined when nothing is left. */
export function withoutTop(set: FieldSet, dropped: (key: string) => boolean): FieldSet | undefined {
  const kept = Object.entries(set).filter(([key]) => !dropped(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** One step from a value down: the field, or the item of a list, that a key of the tree names. */
export function stepInto(value: unknown, key: string): unknown {
  if (key.startsWith("f:")) return isObject(value) ? own(value, key.slice(2)) : undefined;
  const wanted = parseKey(key);
  if (!Array.isArray(value) || wanted === undefined) return undefined;
  if (key.startsWith("v:")) return value.find((item) => item === wanted);
  return value.find((item) => isObject(item) && isObject(wanted) && hasKeys(item, wanted));
}

/** A path of keys as people read it: spec.containers[name=harvest].env[name=A]. */
export function pathText(path: readonly string[]): string {
  return path
    .map((key, i) => (key.startsWith("f:") ? `${i === 0 ? "" : "."}${key.slice(2)}` : `[${itemText(key)}]`))
    .join("");
}

function itemText(key: string): string {
  const parsed = parseKey(key);
  if (!isObject(parsed)) return parsed === undefined ? key : String(parsed);
  return Object.entries(parsed)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(",");
}

/** The key of a list may say a default (protocol TCP) that a manifest leaves out. */
function hasKeys(item: JsonObject, wanted: JsonObject): boolean {
  const entries = Object.entries(wanted);
  const said = entries.filter(([name]) => own(item, name) !== undefined);
  return said.length > 0 && said.every(([name, value]) => own(item, name) === value);
}

function parseKey(key: string): Json | undefined {
  try {
    return JSON.parse(key.slice(2)) as Json;
  } catch {
    return undefined;
  }
}

function own(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
