import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type Pair, type Scalar } from "yaml";
import type { Place } from "../finding.js";
import type { TextMap } from "./text-map.js";

export type Path = readonly (string | number)[];

interface Found {
  readonly key?: Node;
  readonly value?: Node;
}

/** The scalar at this path as it was written, or undefined where there is a map, a list or nothing. */
export function scalarAt(document: Document.Parsed, path: Path): Scalar | undefined {
  const node = resolve(document, find(document, path)?.value);
  return isScalar(node) ? node : undefined;
}

/** Does something other than nothing (null) stand at this path? */
export function isWritten(document: Document.Parsed, path: Path): boolean {
  const node = resolve(document, find(document, path)?.value);
  return node !== undefined && !(isScalar(node) && node.value === null);
}

/**
 * The place of a field: of its value where that is a scalar, else of its key. A path that leads nowhere ends at its
 * last step that exists, so that a missing field is shown where it should stand.
 */
export function placeOf(
  { document, map }: { readonly document: Document.Parsed; readonly map: TextMap },
  path: Path,
  part: "key" | "value" = "value",
): Place {
  for (let length = path.length; length > 0; length -= 1) {
    const found = find(document, path.slice(0, length));
    const node = shown(found, length === path.length && part === "value");
    if (node?.range) return map.place(node.range[0], node.range[1]);
  }
  const start = document.contents?.range[0] ?? 0;
  return map.place(start, start + 1);
}

function shown(found: Found | undefined, preferValue: boolean): Node | undefined {
  return preferValue && isScalarOrAlias(found?.value) ? found?.value : (found?.key ?? found?.value);
}

function isScalarOrAlias(node: Node | undefined): boolean {
  return isAlias(node) || (isScalar(node) && node.value !== null);
}

function find(document: Document.Parsed, path: Path): Found | undefined {
  let found: Found | undefined = { value: document.contents ?? undefined };
  for (const step of path) {
    found = child(document, found.value, step);
    if (found === undefined) return undefined;
  }
  return found;
}

function child(
  document: Document.Parsed,
  parent: Node | undefined,
  step: string | number,
): Found | undefined {
  const node = resolve(document, parent);
  if (isSeq(node)) return item(node.items[Number(step)]);
  if (!isMap(node)) return undefined;
  const pairs = node.items as readonly Pair[];
  const pair = pairs.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  if (pair !== undefined) return { key: pair.key as Node, value: (pair.value as Node | null) ?? undefined };
  return merged(document, pairs, step);
}

function item(node: unknown): Found | undefined {
  return node === undefined || node === null ? undefined : { value: node as Node };
}

/** Looks through `<<: *base` and `<<: [*a, *b]`. */
function merged(document: Document.Parsed, pairs: readonly Pair[], step: string | number): Found | undefined {
  const merge = pairs.find(
    ({ key }) => isScalar(key) && (key.value === "<<" || typeof key.value === "symbol"),
  );
  const base = resolve(document, merge?.value as Node | undefined);
  if (base === undefined) return undefined;
  for (const each of isSeq(base) ? (base.items as Node[]) : [base]) {
    const found = child(document, each, step);
    if (found !== undefined) return found;
  }
  return undefined;
}

function resolve(document: Document.Parsed, node: Node | undefined): Node | undefined {
  return isAlias(node) ? node.resolve(document) : node;
}
