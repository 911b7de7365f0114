/**
 * What stands around the items of a page, token by token: it knows which elements are open and which namespaces they
 * declare, keeps the bytes of the envelope (bounded) and says when a list begins and ends.
 */
import { Fault } from "../fault.js";
import { declaredEncoding } from "./encoding.js";
import { itemPrefix } from "./item-start.js";
import type { ItemNames } from "./item-scanner.js";
import { LT, markupAt, opensHere, skipSpace, type Markup } from "./markup.js";
import { ForeignDocument, type PageShape } from "./page-shape.js";
import { namespaceOf, readOpenTag, scopeInside, XmlError, type OpenTag, type Scope } from "./xml-tag.js";

interface Open {
  readonly qname: string;
  readonly prefix: string;
  readonly local: string;
  readonly namespace: string;
  readonly scope: Scope;
}

const EMPTY_SCOPE: Scope = new Map();
const MAX_DEPTH = 64;
const HEAD_BYTES = 2048;

export class EnvelopeReader {
  declaredEncoding: string | undefined;
  /** The root element was closed. */
  done = false;
  /** Set while a list is open and what comes next may be an item. */
  names: ItemNames | undefined;
  readonly #shape: PageShape;
  readonly #maxBytes: number;
  readonly #open: Open[] = [];
  readonly #parts: Uint8Array[] = [];
  #size = 0;
  #rootNamespace = "";

  constructor(shape: PageShape, maxBytes: number) {
    this.#shape = shape;
    this.#maxBytes = maxBytes;
  }

  /** Namespaces in force where the items stand. */
  get scope(): Scope {
    return this.#open.at(-1)?.scope ?? EMPTY_SCOPE;
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }

  /** Reads one token; the number of bytes used up, 0: more are needed. */
  read(view: Buffer): number {
    if (this.done) return view.length;
    if (view.length === 0) return 0;
    if (view[0] !== LT) return this.#text(view);
    const markup = markupAt(view, 0);
    if (markup === "more") {
      if (view.length > this.#maxBytes) throw this.#tooBig();
      return 0;
    }
    this.#markup(view, markup);
    return markup.end;
  }

  /** The prefix, with colon, of the item that starts here; undefined: none does. */
  itemPrefix(view: Buffer): string | undefined {
    if (this.names === undefined) return undefined;
    return itemPrefix(view, this.names, { scope: this.scope, namespace: this.#rootNamespace });
  }

  /** Is this the end of the list, or what may stand behind its items? */
  leavesList(view: Buffer, markup: Markup): boolean {
    const list = this.#open.at(-1);
    if (markup.kind === "close") return view.toString("utf8", 2, markup.end - 1).trimEnd() === list?.qname;
    if (markup.kind !== "open" || list === undefined) return false;
    return opensHere(view, 0, colon(list.prefix) + this.#shape.tail) === true;
  }

  #text(view: Buffer): number {
    const next = view.indexOf(LT);
    const end = next < 0 ? view.length : next;
    if (this.#open.length > 0) this.#keep(view, end);
    else if (skipSpace(view, 0) < end) throw foreign(view);
    return end;
  }

  #keep(view: Buffer, end: number): void {
    this.#size += end;
    if (this.#size > this.#maxBytes) throw this.#tooBig();
    this.#parts.push(new Uint8Array(view.subarray(0, end)));
  }

  #tooBig(): Fault {
    return new Fault("protocol", {
      code: "EnvelopeTooBig",
      sentence: `What surrounds the records of the page is bigger than ${String(this.#maxBytes)} bytes.`,
      remedy: "Ask the source's operator: an answer has a few hundred bytes around its records.",
    });
  }

  #markup(view: Buffer, markup: Markup): void {
    switch (markup.kind) {
      case "doctype":
        throw this.#doctype(view);
      case "instruction":
        if (this.#size === 0 && view.toString("latin1", 0, 5) === "<?xml")
          this.declaredEncoding = declaredEncoding(view.toString("latin1", 0, markup.end));
        return;
      case "comment":
        return;
      case "cdata":
        this.#keep(view, markup.end);
        return;
      case "open":
        this.#openTag(view);
        break;
      case "close":
        this.#closeTag(view, markup.end);
        break;
    }
    this.#keep(view, markup.end);
  }

  /** HTML pages begin with a document type too: those are another kind of trouble. */
  #doctype(view: Buffer): Error {
    const head = view.toString("latin1", 0, 64);
    if (this.#open.length === 0 && /^<!doctype\s+html/i.test(head)) {
      return foreign(view);
    }
    if (this.#open.length === 0 && !/^<!doctype/i.test(head)) return malformed("a damaged declaration");
    return new Fault("protocol", {
      code: "DoctypeForbidden",
      sentence:
        "The answer carries a document type declaration, which is refused: it could make a reader open files.",
      remedy: "Ask the source's operator to answer without a DOCTYPE, as OAI-PMH does.",
    });
  }

  #openTag(view: Buffer): void {
    const tag = this.#readTag(view);
    const scope = scopeInside(tag, this.scope);
    const namespace = namespaceOf(tag, scope);
    if (this.#open.length === 0) {
      if (tag.local !== this.#shape.root) throw foreign(view);
      this.#rootNamespace = namespace;
    }
    if (this.#open.length >= MAX_DEPTH)
      throw malformed(`elements nested more than ${String(MAX_DEPTH)} deep`);
    this.#open.push({ qname: tag.qname, prefix: tag.prefix, local: tag.local, namespace, scope });
    if (tag.empty) this.#pop();
    else this.#enter();
  }

  #readTag(view: Buffer): OpenTag {
    try {
      return readOpenTag(view, 0);
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      if (this.#open.length === 0) throw foreign(view);
      throw malformed(error.message);
    }
  }

  #closeTag(view: Buffer, end: number): void {
    const name = view.toString("utf8", 2, end - 1).trimEnd();
    if (this.#open.at(-1)?.qname !== name)
      throw malformed(`a closing tag '${name.slice(0, 64)}' that closes nothing`);
    this.#pop();
  }

  #pop(): void {
    this.#open.pop();
    this.done = this.#open.length === 0;
    this.#enter();
  }

  /** In a list? Then what comes next may be an item. */
  #enter(): void {
    const top = this.#open.length === 2 ? this.#open[1] : undefined;
    const inRoot = top !== undefined && top.namespace === this.#rootNamespace;
    const container =
      inRoot && Object.hasOwn(this.#shape.containers, top.local)
        ? this.#shape.containers[top.local]
        : undefined;
    this.names =
      top === undefined || container === undefined
        ? undefined
        : {
            ...container,
            container: top.local,
            tail: this.#shape.tail,
            prefix: colon(top.prefix),
            listPrefix: colon(top.prefix),
          };
  }
}

function foreign(view: Buffer): ForeignDocument {
  return new ForeignDocument(new Uint8Array(view.subarray(0, HEAD_BYTES)));
}

function colon(prefix: string): string {
  return prefix === "" ? "" : `${prefix}:`;
}

function malformed(what: string): Fault {
  return new Fault("protocol", {
    code: "Malformed",
    sentence: `The answer is not well-formed XML outside its records: ${what}.`,
    remedy: "The window is narrowed to save what can be read; the source's operator should be told.",
  });
}
