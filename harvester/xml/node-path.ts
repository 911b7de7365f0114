/** Two ways to say where a node is: one for people, one that any XPath 1.0 engine resolves without knowing prefixes. */
import {
  localName,
  namespaceUri,
  nodeKind,
  parentOf,
  previousSibling,
  writtenName,
  type NodeKind,
  type NodeRef,
} from "./node.js";

/** Names as written, numbered where an element has brothers of the same name before it: `/gmd:MD_Metadata/gmd:contact[2]`. */
export function readablePath(node: NodeRef): string {
  return path(node, (at, kind) => {
    if (kind === "element") return `${writtenName(at)}${suffix(position(at, sameName))}`;
    if (kind === "attribute") return `@${writtenName(at)}`;
    return `${TESTS[kind]}${suffix(position(at, sameKind))}`;
  });
}

/** Positions only: `/*[1]/*[3]/@*[...]`. For putting a known node into an expression. */
export function positionalPath(node: NodeRef): string {
  return path(node, (at, kind) => {
    if (kind === "attribute") {
      return `@*[local-name()='${localName(at)}' and namespace-uri()=${quoted(namespaceUri(at))}]`;
    }
    const test = kind === "element" ? "*" : TESTS[kind];
    return `${test}[${String(position(at, sameKind))}]`;
  });
}

const TESTS: Readonly<Record<NodeKind, string>> = {
  document: "",
  element: "*",
  attribute: "@*",
  text: "text()",
  comment: "comment()",
  instruction: "processing-instruction()",
};

function path(node: NodeRef, step: (at: NodeRef, kind: NodeKind) => string): string {
  const steps: string[] = [];
  let at: NodeRef | undefined = node;
  while (at !== undefined) {
    const kind = nodeKind(at);
    if (kind === undefined || kind === "document") break;
    steps.unshift(step(at, kind));
    at = parentOf(at);
  }
  return `/${steps.join("/")}`;
}

/** How many such brothers stand before, itself included. */
function position(node: NodeRef, alike: (a: NodeRef, b: NodeRef) => boolean): number {
  let count = 1;
  for (let at = previousSibling(node); at !== undefined; at = previousSibling(at)) {
    if (alike(at, node)) count += 1;
  }
  return count;
}

function sameKind(a: NodeRef, b: NodeRef): boolean {
  return nodeKind(a) === nodeKind(b);
}

function sameName(a: NodeRef, b: NodeRef): boolean {
  return sameKind(a, b) && writtenName(a) === writtenName(b);
}

function suffix(count: number): string {
  return count > 1 ? `[${String(count)}]` : "";
}

function quoted(text: string): string {
  return text.includes("'") ? `"${text}"` : `'${text}'`;
}
