/** Policy files (schemas, rule sets) as a light tree that remembers lines: for files people write, not for records. */
import {
  firstAttribute,
  firstChild,
  lineOf,
  localName,
  namespaceUri,
  nextSibling,
  nodeKind,
  textContent,
  type NodeRef,
} from "./node.js";
import { guarded } from "./engine.js";
import { parseXml } from "./parse.js";
import { type XmlProblem } from "./problem.js";

export interface SourceElement {
  readonly name: string;
  /** "" = none. */
  readonly namespace: string;
  /** Attributes without a namespace by name; those with one as `{uri}name`. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly (SourceElement | string)[];
  readonly file: string;
  readonly line: number;
}

export type SourceResult =
  | { readonly kind: "read"; readonly root: SourceElement }
  | { readonly kind: "broken"; readonly problems: readonly XmlProblem[] };

/** Reads one file; comments and processing instructions are left out. */
export function readSource(file: string, bytes: Uint8Array): SourceResult {
  const parsed = parseXml(withoutMark(bytes));
  if (parsed.kind === "broken")
    return { kind: "broken", problems: parsed.problems.map((found) => ({ ...found, file })) };
  try {
    return { kind: "read", root: guarded(() => element(parsed.document.root, file)) };
  } finally {
    parsed.document.dispose();
  }
}

/** Child elements of one namespace, in order. */
export function childElements(parent: SourceElement, namespace: string): readonly SourceElement[] {
  return parent.children.filter(
    (child): child is SourceElement => typeof child !== "string" && child.namespace === namespace,
  );
}

function element(node: NodeRef, file: string): SourceElement {
  const attributes = new Map<string, string>();
  for (let at = firstAttribute(node); at !== undefined; at = nextSibling(at)) {
    const uri = namespaceUri(at);
    attributes.set(uri === "" ? localName(at) : `{${uri}}${localName(at)}`, textContent(at));
  }
  return {
    name: localName(node),
    namespace: namespaceUri(node),
    attributes,
    children: children(node, file),
    file,
    line: lineOf(node) ?? 0,
  };
}

function children(node: NodeRef, file: string): (SourceElement | string)[] {
  const found: (SourceElement | string)[] = [];
  for (let at = firstChild(node); at !== undefined; at = nextSibling(at)) {
    const kind = nodeKind(at);
    if (kind === "element") found.push(element(at, file));
    else if (kind === "text") found.push(textContent(at));
  }
  return found;
}

/** UTF-8 byte-order mark. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
