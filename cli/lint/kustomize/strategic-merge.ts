import type { Path } from "../../../source/yaml/node-place.js";
import { asFields, type BuiltObject, type Fields } from "./built-object.js";
import type { Origin } from "./origins.js";

const DIRECTIVE = "$patch";
/** A manifest nests four deep. */
const MAX_DEPTH = 32;

/**
 * Merges a patch as kustomize does it for kinds it has no schema of: maps field by field, lists and values whole, null
 * takes away. False when the patch takes the whole object away.
 */
export function strategicMerge(object: BuiltObject, patch: Fields, origin: Origin): boolean {
  if (patch[DIRECTIVE] === "delete") return false;
  const merged = mergeMap(object.value, patch, { object, origin, path: [] });
  if (merged === undefined) return false;
  object.value = merged;
  return true;
}

interface At {
  readonly object: BuiltObject;
  readonly origin: Origin;
  readonly path: Path;
}

function mergeMap(target: Fields | undefined, patch: Fields, at: At): Fields | undefined {
  if (patch[DIRECTIVE] === "delete" || at.path.length > MAX_DEPTH) return undefined;
  const replaces = target === undefined || patch[DIRECTIVE] === "replace";
  if (replaces) note(at);
  const result: Fields = replaces ? {} : { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (key === DIRECTIVE) continue;
    const merged = mergeValue(result[key], value, below(at, key));
    if (merged === undefined) Reflect.deleteProperty(result, key);
    else put(result, key, merged);
  }
  return result;
}

function mergeValue(target: unknown, value: unknown, at: At): unknown {
  const map = asFields(value);
  if (map !== undefined) return mergeMap(asFields(target), map, at);
  note(at);
  return value === null ? undefined : value;
}

/** Not by assignment: a field called __proto__ must stay a field, so that it is refused as unknown. */
function put(fields: Fields, key: string, value: unknown): void {
  Object.defineProperty(fields, key, { value, enumerable: true, writable: true, configurable: true });
}

function below({ object, origin, path }: At, key: string): At {
  return { object, path: [...path, key], origin: { yaml: origin.yaml, at: [...origin.at, key] } };
}

function note({ object, origin, path }: At): void {
  object.origins.set(path, origin);
}
