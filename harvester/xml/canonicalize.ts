/**
 * The content of a record as bytes that do not change when only its dress does: exclusive C14N 1.0 without comments,
 * without xsi:schemaLocation, without blanks between elements. Attribute order, CDATA, unused namespaces and
 * indentation no longer matter; prefixes and blanks inside text still do.
 */
import {
  xmlAddChild,
  xmlC14NExecute,
  xmlOutputBufferClose,
  xmlUnlinkNode,
} from "libxml2-wasm/lib/libxml2.mjs";
import { dropBlanksBetweenElements } from "./blanks.js";
import { guarded } from "./engine.js";
import { xmlOutputBufferCreateIO } from "./internals.js";
import { parentOf, type NodeRef } from "./node.js";
import { type ParsedDocument } from "./parse.js";
import { compileXPath, xpathContext, type CompiledXPath } from "./xpath.js";

const EXCLUSIVE = 1;
const XSI = new Map([["xsi", "http://www.w3.org/2001/XMLSchema-instance"]]);
let hints: CompiledXPath | undefined;

/** UTF-8 bytes, or undefined where C14N is not defined: relative namespace names (C14N §1.3). The document is as before afterwards. */
export function canonicalize(document: ParsedDocument): Uint8Array | undefined {
  const attributes = schemaHints(document);
  const owners = attributes.map(parentOf);
  return guarded(() => {
    for (const attribute of attributes) xmlUnlinkNode(attribute);
    try {
      const bytes = exclusive(document);
      return bytes === undefined ? undefined : dropBlanksBetweenElements(bytes);
    } finally {
      for (const [index, owner] of owners.entries())
        xmlAddChild(owner ?? document.root, attributes[index] ?? document.root);
    }
  });
}

/** Where to find a schema is advice to a reader, not content; publishers change it on every server move (case C64). */
function schemaHints(document: ParsedDocument): readonly NodeRef[] {
  hints ??= compileXPath("//@xsi:schemaLocation | //@xsi:noNamespaceSchemaLocation");
  const context = xpathContext(document, XSI);
  try {
    const found = context.evaluate(hints, document.node);
    return Array.isArray(found) ? (found as readonly NodeRef[]) : [];
  } finally {
    context.dispose();
  }
}

function exclusive(document: ParsedDocument): Uint8Array | undefined {
  const chunks: Uint8Array[] = [];
  const out = xmlOutputBufferCreateIO({
    write: (chunk) => {
      chunks.push(chunk.slice());
      return chunk.byteLength;
    },
    close: () => true,
  });
  const written = xmlC14NExecute(document.node, 0, 0, EXCLUSIVE, 0, 0, out);
  xmlOutputBufferClose(out);
  return written < 0 ? undefined : Buffer.concat(chunks);
}
