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
import { firstAttribute, localName, namespaceUri, nextSibling, parentOf, type NodeRef } from "./node.js";
import { type ParsedDocument } from "./parse.js";
import { compileXPath, xpathContext, type CompiledXPath } from "./xpath.js";

const EXCLUSIVE = 1;
const XSI = "http://www.w3.org/2001/XMLSchema-instance";
const HINT_NAMES = new Set(["schemaLocation", "noNamespaceSchemaLocation"]);
let everyHint: CompiledXPath | undefined;

/**
 * UTF-8 bytes, or undefined where C14N is not defined: relative namespace names (C14N §1.3). `source`: the text the
 * document was parsed from; with it the work is quicker. The document is as before afterwards.
 */
export function canonicalize(document: ParsedDocument, source?: Uint8Array): Uint8Array | undefined {
  const attributes = schemaHints(document, source);
  const owners = attributes.map(parentOf);
  return guarded(() => {
    for (const attribute of attributes) xmlUnlinkNode(attribute);
    try {
      return exclusive(document);
    } finally {
      for (const [index, owner] of owners.entries())
        xmlAddChild(owner ?? document.root, attributes[index] ?? document.root);
    }
  });
}

/** Where to find a schema is advice to a reader, not content; publishers change it on every server move (case C64). */
function schemaHints(document: ParsedDocument, source: Uint8Array | undefined): readonly NodeRef[] {
  if (source === undefined) return hintsAnywhere(document);
  const onRoot: NodeRef[] = [];
  for (let at = firstAttribute(document.root); at !== undefined; at = nextSibling(at)) {
    if (HINT_NAMES.has(localName(at)) && namespaceUri(at) === XSI) onRoot.push(at);
  }
  return occurrences(source, "chemaLocation") <= onRoot.length ? onRoot : hintsAnywhere(document);
}

/** Nearly every record has its hint on the root and nowhere else: counting words is a hundred times faster than asking XPath. */
function occurrences(source: Uint8Array, word: string): number {
  const text = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  let count = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) count += 1;
  return count;
}

function hintsAnywhere(document: ParsedDocument): readonly NodeRef[] {
  everyHint ??= compileXPath("//@xsi:schemaLocation | //@xsi:noNamespaceSchemaLocation");
  const context = xpathContext(document, new Map([["xsi", XSI]]));
  try {
    const found = context.evaluate(everyHint, document.node);
    return Array.isArray(found) ? (found as readonly NodeRef[]) : [];
  } finally {
    context.dispose();
  }
}

/** Grows to the largest record seen and is used again for the next. */
let room = new Uint8Array(256 * 1024);

function exclusive(document: ParsedDocument): Uint8Array | undefined {
  let size = 0;
  const out = xmlOutputBufferCreateIO({
    write: (chunk) => {
      if (size + chunk.byteLength > room.length) room = enlarged(room, size + chunk.byteLength);
      room.set(chunk, size);
      size += chunk.byteLength;
      return chunk.byteLength;
    },
    close: () => true,
  });
  const written = xmlC14NExecute(document.node, 0, 0, EXCLUSIVE, 0, 0, out);
  xmlOutputBufferClose(out);
  return written < 0 ? undefined : room.slice(0, dropBlanksBetweenElements(room, size));
}

function enlarged(full: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(needed, full.length * 2));
  larger.set(full);
  return larger;
}
