/** XPath 1.0 over a parsed document: expressions compiled once per thread, one evaluation context per document. */
import {
  xmlGetLastError,
  XmlErrorStruct,
  XmlNodeSetStruct,
  xmlResetLastError,
  xmlXPathCompiledEval,
  xmlXPathCtxtCompile,
  xmlXPathFreeCompExpr,
  xmlXPathFreeContext,
  xmlXPathFreeObject,
  xmlXPathNewContext,
  XmlXPathObjectStruct,
  xmlXPathRegisterNs,
  xmlXPathSetContextNode,
} from "libxml2-wasm/lib/libxml2.mjs";
import { guarded } from "./engine.js";
import { asNode, type NodeRef } from "./node.js";
import { type ParsedDocument } from "./parse.js";

/** The expression cannot be compiled, or failed on this document (wrong type, out of memory). */
export class XPathFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = "XPathFailure";
  }
}

export type XPathValue = readonly NodeRef[] | string | number | boolean;

export interface CompiledXPath {
  readonly source: string;
  dispose(): void;
}

interface Compiled extends CompiledXPath {
  readonly pointer: number;
}

/** Compiles; throws XPathFailure. The engine's stack is 64 KiB: bound length and nesting before calling. */
export function compileXPath(source: string): CompiledXPath {
  const pointer = guarded(() => xmlXPathCtxtCompile(0, source));
  if (pointer === 0) throw new XPathFailure(`"${source}" is not an XPath 1.0 expression.`);
  let live = true;
  const compiled: Compiled = {
    source,
    pointer,
    dispose: () => {
      if (live) guarded(() => xmlXPathFreeCompExpr(pointer));
      live = false;
    },
  };
  return compiled;
}

/** Evaluates expressions on one document with one set of prefixes. Dispose it before the document. */
export interface XPathContext {
  evaluate(expression: CompiledXPath, at: NodeRef): XPathValue;
  dispose(): void;
}

/** `namespaces`: prefix to URI. */
export function xpathContext(
  document: ParsedDocument,
  namespaces: ReadonlyMap<string, string>,
): XPathContext {
  const context = guarded(() => {
    const pointer = xmlXPathNewContext(document.node);
    for (const [prefix, uri] of namespaces) xmlXPathRegisterNs(pointer, prefix, uri);
    return pointer;
  });
  return {
    evaluate: (expression, at) => guarded(() => evaluate(context, expression as Compiled, at)),
    dispose: () => {
      guarded(() => {
        xmlXPathFreeContext(context);
      });
    },
  };
}

function evaluate(context: number, expression: Compiled, at: NodeRef): XPathValue {
  xmlXPathSetContextNode(at, context);
  xmlResetLastError();
  const result = xmlXPathCompiledEval(expression.pointer, context);
  if (result === 0) throw new XPathFailure(lastMessage());
  try {
    return read(result);
  } finally {
    xmlXPathFreeObject(result);
  }
}

function read(result: number): XPathValue {
  switch (XmlXPathObjectStruct.type(result)) {
    case XmlXPathObjectStruct.Type.XPATH_BOOLEAN:
      return XmlXPathObjectStruct.boolval(result) !== 0;
    case XmlXPathObjectStruct.Type.XPATH_NUMBER:
      return XmlXPathObjectStruct.floatval(result);
    case XmlXPathObjectStruct.Type.XPATH_STRING:
      return XmlXPathObjectStruct.stringval(result);
    case XmlXPathObjectStruct.Type.XPATH_NODESET:
      return nodes(XmlXPathObjectStruct.nodesetval(result));
    default:
      throw new XPathFailure("The expression gave a value of unknown type.");
  }
}

/** An empty node set may be a null pointer. */
function nodes(set: number): readonly NodeRef[] {
  if (set === 0) return [];
  const count = XmlNodeSetStruct.nodeCount(set);
  return Array.from(XmlNodeSetStruct.nodeTable(set, count), asNode);
}

function lastMessage(): string {
  const error = xmlGetLastError();
  return error === 0 ? "evaluation failed" : XmlErrorStruct.message(error).trim();
}
