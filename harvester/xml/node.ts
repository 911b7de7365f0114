/** Nodes of a parsed document, as the numbers libxml2 knows them by: valid until the document is disposed. */
import {
  xmlNodeGetContent,
  XmlNamedNodeStruct,
  XmlNodeStruct,
  XmlNodeType,
  XmlNsStruct,
  XmlTreeCommonStruct,
} from "libxml2-wasm/lib/libxml2.mjs";

/** A node of a parsed document. Equal numbers are the same node. */
export type NodeRef = number & { readonly isNode: true };

export function asNode(pointer: number): NodeRef {
  return pointer as NodeRef;
}

/** The kinds of node XPath 1.0 knows, less namespace nodes. */
export type NodeKind = "document" | "element" | "attribute" | "text" | "comment" | "instruction";

const KINDS: Readonly<Record<number, NodeKind>> = {
  [XmlNodeType.XML_DOCUMENT_NODE]: "document",
  [XmlNodeType.XML_ELEMENT_NODE]: "element",
  [XmlNodeType.XML_ATTRIBUTE_NODE]: "attribute",
  [XmlNodeType.XML_TEXT_NODE]: "text",
  [XmlNodeType.XML_CDATA_SECTION_NODE]: "text",
  [XmlNodeType.XML_COMMENT_NODE]: "comment",
  [XmlNodeType.XML_PI_NODE]: "instruction",
};

export function nodeKind(node: NodeRef): NodeKind | undefined {
  return KINDS[XmlTreeCommonStruct.type(node)];
}

/** Local part of the name. */
export function localName(node: NodeRef): string {
  return XmlTreeCommonStruct.name_(node);
}

/** "" = no namespace. */
export function namespaceUri(node: NodeRef): string {
  const namespace = XmlNamedNodeStruct.namespace(node);
  return namespace === 0 ? "" : XmlNsStruct.href(namespace);
}

/** The name as written, prefix included. */
export function writtenName(node: NodeRef): string {
  const namespace = XmlNamedNodeStruct.namespace(node);
  const prefix = namespace === 0 ? "" : XmlNsStruct.prefix(namespace);
  return prefix === "" ? localName(node) : `${prefix}:${localName(node)}`;
}

export function textContent(node: NodeRef): string {
  return xmlNodeGetContent(node);
}

export function parentOf(node: NodeRef): NodeRef | undefined {
  return present(XmlTreeCommonStruct.parent(node));
}

export function nextSibling(node: NodeRef): NodeRef | undefined {
  return present(XmlTreeCommonStruct.next(node));
}

export function previousSibling(node: NodeRef): NodeRef | undefined {
  return present(XmlTreeCommonStruct.prev(node));
}

export function firstChild(node: NodeRef): NodeRef | undefined {
  return present(XmlTreeCommonStruct.children(node));
}

export function firstAttribute(element: NodeRef): NodeRef | undefined {
  return present(XmlNodeStruct.properties(element));
}

/** Line of the node in its source. Nodes hold 16 bits of it: beyond that it is not known. */
export function lineOf(node: NodeRef): number | undefined {
  const kind = nodeKind(node);
  if (kind === "document" || kind === undefined) return undefined;
  if (kind === "attribute") {
    const owner = parentOf(node);
    return owner === undefined ? undefined : lineOf(owner);
  }
  const line = XmlNodeStruct.line(node) & 0xffff;
  return line === 0 || line === 0xffff ? undefined : line;
}

function present(pointer: number): NodeRef | undefined {
  return pointer === 0 ? undefined : asNode(pointer);
}
