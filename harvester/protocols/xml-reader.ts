/**
 * A small strict reader for what surrounds the records: envelopes and record headers. It reads elements, attributes and
 * text; document types are refused, entities are the five of XML and numbers; depth and number of elements are bounded.
 * Payloads never pass through here: they go to the gates as bytes.
 */
import { isSpace, LT, markupAt } from "./markup.js";
import {
  namespaceOf,
  readOpenTag,
  resolveEntities,
  scopeInside,
  XmlError,
  type OpenTag,
  type Scope,
} from "./xml-tag.js";

export interface XmlElement {
  readonly local: string;
  readonly namespace: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own character data, that of its children left out. */
  readonly text: string;
}

const MAX_DEPTH = 64;
const MAX_ELEMENTS = 200_000;

interface Open {
  readonly tag: OpenTag;
  readonly scope: Scope;
  readonly children: XmlElement[];
  readonly text: string[];
}

class TreeReader {
  readonly #bytes: Buffer;
  readonly #stack: Open[] = [];
  #elements = 0;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  read(scope: Scope): XmlElement {
    for (;;) {
      const outer = this.#stack.at(-1);
      if (outer !== undefined) this.#readText(outer);
      const markup = markupAt(this.#bytes, this.at);
      if (markup === "more") throw new XmlError("an end in the middle of the text", this.at);
      if (markup.kind === "doctype") throw new XmlError("a document type declaration", this.at);
      const done = this.#step(markup.kind, { end: markup.end, scope: outer?.scope ?? scope });
      this.at = markup.end;
      if (done !== undefined) return done;
    }
  }

  #readText(open: Open): void {
    const next = this.#bytes.indexOf(LT, this.at);
    if (next < 0) throw new XmlError(`no closing tag for '${open.tag.qname}'`, this.at);
    if (next > this.at) {
      open.text.push(resolveEntities(this.#bytes.toString("utf8", this.at, next), this.at));
      this.at = next;
    }
  }

  #step(kind: string, what: { end: number; scope: Scope }): XmlElement | undefined {
    if (kind === "open") return this.#open(what.scope);
    if (kind === "close") return this.#close(what.end);
    if (kind === "cdata")
      this.#stack.at(-1)?.text.push(this.#bytes.toString("utf8", this.at + 9, what.end - 3));
    return undefined;
  }

  #open(outer: Scope): XmlElement | undefined {
    const tag = readOpenTag(this.#bytes, this.at);
    this.#elements++;
    if (this.#elements > MAX_ELEMENTS) throw new XmlError("too many elements", this.at);
    if (this.#stack.length >= MAX_DEPTH)
      throw new XmlError(`elements nested more than ${String(MAX_DEPTH)} deep`, this.at);
    const open: Open = { tag, scope: scopeInside(tag, outer), children: [], text: [] };
    if (tag.empty) return this.#finish(open);
    this.#stack.push(open);
    return undefined;
  }

  #close(end: number): XmlElement | undefined {
    const name = this.#bytes.toString("utf8", this.at + 2, end - 1).trimEnd();
    const open = this.#stack.pop();
    if (open === undefined || open.tag.qname !== name) {
      throw new XmlError(`a closing tag '${name.slice(0, 64)}' that closes nothing`, this.at);
    }
    return this.#finish(open);
  }

  #finish(open: Open): XmlElement | undefined {
    const { tag, scope, children, text } = open;
    if (tag.prefix !== "" && !scope.has(tag.prefix))
      throw new XmlError(`the undeclared prefix '${tag.prefix}'`, this.at);
    const element: XmlElement = {
      local: tag.local,
      namespace: namespaceOf(tag, scope),
      attributes: tag.attributes,
      children,
      text: text.join(""),
    };
    const parent = this.#stack.at(-1);
    if (parent === undefined) return element;
    parent.children.push(element);
    return undefined;
  }
}

/** The element that begins at `at`, and the index behind it. Throws XmlError. */
export function readElement(
  bytes: Buffer,
  at: number,
  scope: Scope,
): { readonly element: XmlElement; readonly end: number } {
  const reader = new TreeReader(bytes, at);
  const element = reader.read(scope);
  return { element, end: reader.at };
}

/** First index at or behind `from` that is neither white space nor comment nor processing instruction. */
export function skipMisc(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    while (isSpace(bytes[at])) at++;
    const markup = bytes[at] === LT ? markupAt(bytes, at) : "more";
    if (markup === "more" || (markup.kind !== "comment" && markup.kind !== "instruction")) return at;
    at = markup.end;
  }
}

/** A whole document of UTF-8 bytes. Throws XmlError. */
export function readDocument(bytes: Buffer): XmlElement {
  const { element, end } = readElement(bytes, skipMisc(bytes, 0), new Map());
  const rest = skipMisc(bytes, end);
  if (rest < bytes.length) throw new XmlError("something behind the end of the document", rest);
  return element;
}

/** Children of this namespace and local name. */
export function childrenNamed(parent: XmlElement, local: string): readonly XmlElement[] {
  return parent.children.filter((child) => child.local === local && child.namespace === parent.namespace);
}

/** Text of the first child of this name, outer white space trimmed; undefined when absent or blank. */
export function childText(parent: XmlElement, local: string): string | undefined {
  const text = trimXml(childrenNamed(parent, local)[0]?.text ?? "");
  return text === "" ? undefined : text;
}

/** Without outer white space as XML defines it: a no-break space belongs to the text. */
export function trimXml(text: string): string {
  return text.replace(/^[ \t\r\n]+/, "").replace(/[ \t\r\n]+$/, "");
}
