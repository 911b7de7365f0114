/** What a page is cut by, and into what (split.ts). */
import type { ReadLimits } from "./protocol.js";
import type { Scope } from "./xml-tag.js";

export interface PageShape {
  /** Local name of the document's root: `OAI-PMH`. */
  readonly root: string;
  /** Local name of a list → what an item is called and what it begins with. */
  readonly containers: Readonly<
    Record<string, { readonly item: string; readonly leading: readonly string[] }>
  >;
  /** What may stand behind the items in a list. */
  readonly tail: string;
}

export interface SplitLimits extends ReadLimits {
  readonly maxEnvelopeBytes: number;
}

/** A whole item: it begins with its own start tag and ends with its own end tag; between them nothing is promised. */
export interface ItemSlice {
  readonly kind: "slice";
  readonly bytes: Uint8Array;
  /** Namespaces in force where the item stands. */
  readonly scope: Scope;
  /** What the page's XML declaration says of its encoding. */
  readonly declaredEncoding?: string | undefined;
}

/** What could not be cut out whole. */
export interface BrokenSlice {
  readonly kind: "broken";
  readonly rule: "record-too-big" | "record-unclosed" | "unexpected-content";
  readonly sentence: string;
  /** Its first bytes. */
  readonly bytes: Uint8Array;
}

export type Slice = ItemSlice | BrokenSlice;

export interface Envelope {
  /** The document with its items cut out, comments and XML declaration too. */
  readonly bytes: Uint8Array;
  readonly declaredEncoding?: string;
  /** Set when the whole page had to be transcoded: `utf-16le`. */
  readonly transcodedFrom?: string;
  readonly pageBytes: number;
}

/** The body is no document of this protocol at all: an HTML page, JSON, nothing. Its reader says what it looks like. */
export class ForeignDocument extends Error {
  readonly head: Uint8Array;

  constructor(head: Uint8Array) {
    super("The body is not a document of this protocol.");
    this.name = "ForeignDocument";
    this.head = head;
  }
}
