/** Bytes to a document, with the hardened options of docs/decisions/0001. The only place that parses XML. */
import { ParseOption, XmlDocument, XmlParseError } from "libxml2-wasm";
import { xmlDocGetRootElement } from "libxml2-wasm/lib/libxml2.mjs";
import { guarded } from "./engine.js";
import { asNode, type NodeRef } from "./node.js";
import { problem, type XmlProblem } from "./problem.js";
import "./policy-files.js"; // Installed first, so that no document can ever reach a file.

/**
 * No external entity, no network, no catalogue, long files keep their line numbers; the text is UTF-8 by now whatever
 * it declares. Never NOENT, DTDLOAD, DTDVALID, HUGE, RECOVER, XINCLUDE: each of them opens a door or a limit.
 */
const OPTIONS =
  ParseOption.XML_PARSE_NO_XXE |
  ParseOption.XML_PARSE_NONET |
  ParseOption.XML_PARSE_NO_SYS_CATALOG |
  ParseOption.XML_PARSE_BIG_LINES |
  ParseOption.XML_PARSE_IGNORE_ENC |
  ParseOption.XML_PARSE_COMPACT;

/** A parsed document. Whoever parses disposes: the memory is the engine's and no garbage collector sees it in time. */
export interface ParsedDocument {
  /** The document node itself: the root of XPath. */
  readonly node: NodeRef;
  readonly root: NodeRef;
  dispose(): void;
}

export type ParseResult =
  | { readonly kind: "parsed"; readonly document: ParsedDocument }
  | { readonly kind: "broken"; readonly problems: readonly XmlProblem[] };

/** Parses UTF-8 bytes. Broken text is a value; only a dead engine throws (EnginePoisoned). */
export function parseXml(utf8: Uint8Array, url?: string): ParseResult {
  return guarded(() => {
    try {
      return {
        kind: "parsed",
        document: wrap(XmlDocument.fromBuffer(utf8, { option: OPTIONS, ...(url !== undefined && { url }) })),
      };
    } catch (thrown) {
      if (thrown instanceof XmlParseError) return { kind: "broken", problems: problemsOf(thrown) };
      throw thrown;
    }
  });
}

/** The library's object behind a document, for the other files of this folder. */
export function libraryDocument(document: ParsedDocument): XmlDocument {
  const found = documents.get(document);
  if (found === undefined) throw new Error("This document has been disposed.");
  return found;
}

const documents = new WeakMap<ParsedDocument, XmlDocument>();

function wrap(library: XmlDocument): ParsedDocument {
  const pointer = (library as unknown as { readonly _ptr: number })._ptr;
  const document: ParsedDocument = {
    node: asNode(pointer),
    root: asNode(xmlDocGetRootElement(pointer)),
    dispose: () => {
      documents.delete(document);
      guarded(() => {
        library.dispose();
      });
    },
  };
  documents.set(document, library);
  return document;
}

/** At most 20: after the first, most are echoes. Warnings alone break nothing. Without words the engine ran out of memory (measured). */
function problemsOf(error: XmlParseError): readonly XmlProblem[] {
  const serious = error.details.filter((detail) => detail.level > 1 && detail.message.trim() !== "");
  const found = serious
    .slice(0, 20)
    .map((detail) =>
      problem({ message: detail.message, line: detail.line, column: detail.col, file: detail.file }),
    );
  return found.length > 0 ? found : [problem({ message: "out of memory" })];
}
