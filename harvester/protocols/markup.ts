/** Where tags, comments and the like begin and end in bytes. Nothing here needs well-formed XML (law 2). */

export const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

const DOCTYPE_HEAD = 64;

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

const NAME_BYTES = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || /[\w.-]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** May this byte stand in a name of XML? All of UTF-8 beyond ASCII counts as letters. */
export function isNameByte(byte: number | undefined): boolean {
  return byte !== undefined && NAME_BYTES[byte] === 1;
}

/** May this byte stand behind a name in a tag? */
export function endsName(byte: number | undefined): boolean {
  return byte === GT || byte === SLASH || isSpace(byte);
}

/** First index at or behind `from` that is no white space. */
export function skipSpace(view: Buffer, from: number): number {
  let at = from;
  while (at < view.length && isSpace(view[at])) at++;
  return at;
}

/**
 * Index behind the `>` of the tag that starts at `from`, a `>` in quotes not counted; -1 when it is not all there.
 * A `<` ends the tag before itself: none may stand in a tag, so a quote was lost.
 */
export function tagEnd(view: Buffer, from: number): number {
  let quote = 0;
  for (let at = from + 1; at < view.length; at++) {
    const byte = view[at];
    if (byte === LT) return at;
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === GT) return at + 1;
    else if (byte === QUOTE || byte === APOSTROPHE) quote = byte;
  }
  return -1;
}

/** Is the tag that ends before `end` an empty-element tag? */
export function isEmptyTag(view: Buffer, end: number): boolean {
  return view[end - 1] === GT && view[end - 2] === SLASH;
}

/** Does a start tag of exactly this qualified name stand at `at`? */
export function opensHere(view: Buffer, at: number, qname: string): boolean | "more" {
  const end = at + 1 + qname.length;
  if (end >= view.length) return "more";
  return view[at] === LT && view.toString("latin1", at + 1, end) === qname && endsName(view[end]);
}

export type MarkupKind = "comment" | "cdata" | "instruction" | "doctype" | "close" | "open";

export interface Markup {
  readonly kind: MarkupKind;
  /** Index behind its last byte. */
  readonly end: number;
}

function through(view: Buffer, from: number, terminator: string): number {
  const found = view.indexOf(terminator, from, "latin1");
  return found < 0 ? -1 : found + terminator.length;
}

function declarationKind(view: Buffer, at: number): MarkupKind | "more" {
  const text = view.toString("latin1", at, at + 9);
  if (text.startsWith("<!--")) return "comment";
  if (text === "<![CDATA[") return "cdata";
  return "<!--".startsWith(text) || "<![CDATA[".startsWith(text) ? "more" : "doctype";
}

/** The markup that starts with the `<` at `at`. */
export function markupAt(view: Buffer, at: number): Markup | "more" {
  const second = view[at + 1];
  if (second === undefined) return "more";
  let kind: MarkupKind | "more" = "open";
  if (second === SLASH) kind = "close";
  else if (second === 0x3f) kind = "instruction";
  else if (second === 0x21) kind = declarationKind(view, at);
  if (kind === "more") return "more";
  const end = markupEnd(view, at, kind);
  return end < 0 ? "more" : { kind, end };
}

/** A document type is never read, only refused: as much as tells which one it is is enough. */
function doctypeEnd(view: Buffer, at: number): number {
  const closed = view.indexOf(GT, at);
  if (closed >= 0 && closed < at + DOCTYPE_HEAD) return closed + 1;
  return view.length >= at + DOCTYPE_HEAD ? at + DOCTYPE_HEAD : -1;
}

function markupEnd(view: Buffer, at: number, kind: MarkupKind): number {
  if (kind === "comment") return through(view, at + 4, "-->");
  if (kind === "cdata") return through(view, at + 9, "]]>");
  if (kind === "instruction") return through(view, at + 2, "?>");
  if (kind === "doctype") return doctypeEnd(view, at);
  return tagEnd(view, at);
}

/** One text searched for in a growing buffer, so that no byte is searched twice. Calls come with growing `from`. */
export class Pattern {
  readonly bytes: Buffer;
  #hit = -1;
  #searched = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** First occurrence at or behind `from`; -1: not in the bytes so far. */
  next(view: Buffer, from: number): number {
    if (this.#hit >= from) return this.#hit;
    const start = Math.max(from, this.#searched);
    this.#hit = start < view.length ? view.indexOf(this.bytes, start) : -1;
    if (this.#hit < 0) this.#searched = Math.max(from, view.length - this.bytes.length + 1);
    return this.#hit;
  }

  /** The first `count` bytes of the buffer were forgotten. */
  shift(count: number): void {
    this.#hit = this.#hit < count ? -1 : this.#hit - count;
    this.#searched = Math.max(0, this.#searched - count);
  }
}
