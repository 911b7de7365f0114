import {
  isMap,
  isPair,
  isScalar,
  visit,
  type Document,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { Path } from "../yaml/node-place.js";

/** The scalar that begins at an offset, and what it belongs to. */
export interface NodeAt {
  readonly scalar: Scalar;
  readonly part: "key" | "value";
  /** Of the field, keys as texts; items of lists by their number. */
  readonly path: Path;
  /** The field it is key or value of; undefined in a list. */
  readonly pair: Pair | undefined;
  readonly parent: YAMLMap | YAMLSeq;
}

/** Finds it in a document; undefined where no key, item or scalar begins there. Aliases are not followed. */
export function nodeAt(document: Document.Parsed, offset: number): NodeAt | undefined {
  let found: NodeAt | undefined;
  visit(document, (key, node, ancestors) => {
    if (!isNodeAt(node, offset)) return undefined;
    found = described({ key, node, ancestors });
    return found === undefined ? undefined : visit.BREAK;
  });
  return found;
}

function isNodeAt(node: unknown, offset: number): node is Scalar {
  return isScalar(node) && node.range?.[0] === offset;
}

interface Visited {
  readonly key: number | "key" | "value" | null;
  readonly node: Scalar;
  readonly ancestors: readonly unknown[];
}

function described({ key, node, ancestors }: Visited): NodeAt | undefined {
  const last = ancestors.at(-1);
  const pair = isPair(last) ? last : undefined;
  const parent = (pair === undefined ? last : ancestors.at(-2)) as YAMLMap | YAMLSeq | undefined;
  if (parent === undefined || !("items" in parent)) return undefined;
  const chain = [...ancestors, node];
  return {
    scalar: node,
    part: key === "key" ? "key" : "value",
    path: pathOf(chain),
    pair,
    parent,
  };
}

function pathOf(chain: readonly unknown[]): Path {
  return chain.flatMap((node, i): Path => {
    if (isPair(node)) return isScalar(node.key) ? [String(node.key.value)] : [""];
    const next = chain[i + 1];
    const inList = typeof node === "object" && node !== null && "items" in node && !isMap(node);
    return inList && next !== undefined ? [(node.items as unknown[]).indexOf(next)] : [];
  });
}
