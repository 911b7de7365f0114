/**
 * A light tree over canonical XML, for code that reads a record and changes nothing.
 *
 * The input is what Exclusive XML Canonicalization 1.0 without comments writes: UTF-8, no DTD, no CDATA, no
 * comments, no `<a/>`, attributes in double quotes, only the escapes C14N itself makes. So little grammar is left
 * that one pass with indexOf reads it many times faster than an engine, and outside the engine's memory.
 */
import { isUtf8 } from "node:buffer";

export interface XmlElement {
  /** Namespace URI; "" = none. */
  readonly namespace: string;
  /** Local name. */
  readonly name: string;
  /** Name as written, with the source's prefix: only for telling people a place. */
  readonly tag: string;
  /** By local name, or `{namespace}local`. Namespace declarations are not attributes. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The element's own character data; white space between child elements is left out. */
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

/** Prefix bindings, innermost first: C14N declares a prefix where it is used, so lists stay short. */
interface Scope {
  readonly prefix: string;
  readonly namespace: string;
  readonly outer: Scope | undefined;
}

interface Frame {
  readonly element: OpenElement;
  /** What holds again when the element ends. */
  readonly outer: Scope | undefined;
}

/** As deep as the XML engine itself goes. */
const MAX_DEPTH = 256;
const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const escapes: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#x9;": "\t",
  "&#xA;": "\n",
  "&#xD;": "\r",
};
const NOT_A_NAME = /^$|[\s<>/"']/;
const GREATER = 62;
const SLASH = 47;
const QUESTION = 63;
const BLANK = 32;

/** Throws a plain Error when the bytes are not canonical XML, or nest deeper than 256. */
export function readTree(canonicalXml: Uint8Array): XmlElement {
  if (!isUtf8(canonicalXml)) throw new Error("Not canonical XML: the bytes are not UTF-8.");
  const { buffer, byteOffset, byteLength } = canonicalXml;
  return new TreeReader(Buffer.from(buffer, byteOffset, byteLength).toString("utf8")).read();
}

class TreeReader {
  private readonly input: string;
  private readonly open: Frame[] = [];
  private top: OpenElement | undefined;
  private root: XmlElement | undefined;
  private scope: Scope | undefined = { prefix: "xml", namespace: XML_NAMESPACE, outer: undefined };

  constructor(input: string) {
    this.input = input;
  }

  read(): XmlElement {
    let at = 0;
    for (let less = this.input.indexOf("<"); less >= 0; less = this.input.indexOf("<", at)) {
      if (less > at) this.addText(at, less);
      at = this.markup(less);
    }
    if (at < this.input.length) this.addText(at, this.input.length);
    if (this.top !== undefined) this.fail(`<${this.top.tag}> is not closed`, this.input.length);
    return this.root ?? this.fail("there is no element", 0);
  }

  /** Reads the tag or processing instruction at `less`; returns the place after it. */
  private markup(less: number): number {
    const code = this.input.charCodeAt(less + 1);
    if (code === SLASH) return this.endTag(less);
    if (code === QUESTION) return this.after("?>", less);
    if (code === 33) this.fail("comments, CDATA and DOCTYPE are not canonical", less);
    return this.startTag(less);
  }

  private startTag(less: number): number {
    if (this.root !== undefined && this.top === undefined) this.fail("there is a second root element", less);
    if (this.open.length >= MAX_DEPTH) this.fail(`elements nest deeper than ${String(MAX_DEPTH)}`, less);
    const nameEnd = this.nameEnd(less + 1);
    const tag = this.input.slice(less + 1, nameEnd);
    const outer = this.scope;
    let attributes = NO_ATTRIBUTES;
    let end = nameEnd;
    if (this.input.charCodeAt(end) === BLANK) {
      const written = new Map<string, string>();
      end = this.attributes(end, written);
      if (written.size > 0) attributes = this.named(written, less);
    }
    if (this.input.charCodeAt(end) !== GREATER) this.fail(`the start tag <${tag} is not canonical`, less);
    const colon = tag.indexOf(":");
    const element: OpenElement = {
      namespace: this.resolve(colon < 0 ? "" : tag.slice(0, colon), less),
      name: colon < 0 ? tag : tag.slice(colon + 1),
      tag,
      attributes,
      children: [],
      text: "",
    };
    this.push(element, outer);
    return end + 1;
  }

  private push(element: OpenElement, outer: Scope | undefined): void {
    if (this.top === undefined) this.root = element;
    else this.top.children.push(element);
    this.open.push({ element, outer });
    this.top = element;
  }

  private endTag(less: number): number {
    const frame = this.open.pop();
    const tag = frame?.element.tag ?? "";
    const end = less + 2 + tag.length;
    if (!frame || !this.input.startsWith(tag, less + 2) || this.input.charCodeAt(end) !== GREATER) {
      return this.fail(frame ? `<${tag}> is closed by another name` : "an end tag has no start", less);
    }
    this.scope = frame.outer;
    this.top = this.open.at(-1)?.element;
    return end + 1;
  }

  private nameEnd(from: number): number {
    let at = from;
    for (let code = this.input.charCodeAt(at); code > BLANK && code !== GREATER && code !== SLASH;) {
      code = this.input.charCodeAt(++at);
    }
    if (at === from) this.fail("a name is missing", from);
    return at;
  }

  /** Fills `written` with the attributes as written, binds prefixes; returns the place after the last one. */
  private attributes(from: number, written: Map<string, string>): number {
    let at = from;
    while (this.input.charCodeAt(at) === BLANK) {
      const quote = this.input.indexOf('="', at);
      const end = quote < 0 ? -1 : this.input.indexOf('"', quote + 2);
      if (end < 0) this.fail("an attribute is not canonical", at);
      const name = this.input.slice(at + 1, quote);
      if (NOT_A_NAME.test(name)) this.fail("an attribute is not canonical", at);
      const value = this.unescape(quote + 2, end);
      if (name === "xmlns") this.bind("", value);
      else if (name.startsWith("xmlns:")) this.bind(name.slice(6), value);
      else written.set(name, value);
      at = end + 1;
    }
    return at;
  }

  private bind(prefix: string, namespace: string): void {
    this.scope = { prefix, namespace, outer: this.scope };
  }

  private named(written: ReadonlyMap<string, string>, less: number): ReadonlyMap<string, string> {
    const attributes = new Map<string, string>();
    for (const [name, value] of written) {
      const colon = name.indexOf(":");
      if (colon < 0) attributes.set(name, value);
      else attributes.set(`{${this.resolve(name.slice(0, colon), less)}}${name.slice(colon + 1)}`, value);
    }
    return attributes;
  }

  private resolve(prefix: string, less: number): string {
    for (let scope = this.scope; scope !== undefined; scope = scope.outer) {
      if (scope.prefix === prefix) return scope.namespace;
    }
    return prefix === "" ? "" : this.fail(`the prefix '${prefix}' is not declared`, less);
  }

  private addText(from: number, to: number): void {
    const top = this.top;
    if (top !== undefined && top.children.length === 0 && this.input.charCodeAt(to + 1) === SLASH) {
      top.text += this.unescape(from, to);
    } else if (!this.isBlank(from, to)) {
      if (top === undefined) this.fail("there is text outside the root element", from);
      top.text += this.unescape(from, to);
    }
  }

  private isBlank(from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      const code = this.input.charCodeAt(at);
      if (code !== BLANK && code !== 10 && code !== 9) return false;
    }
    return true;
  }

  private unescape(from: number, to: number): string {
    const raw = this.input.slice(from, to);
    if (raw.includes("<")) this.fail("an attribute value holds '<'", from);
    if (!raw.includes("&")) return raw;
    return raw.replace(
      /&[^;&]*;?/g,
      (reference) =>
        escapes[reference] ?? this.fail(`'${reference.slice(0, 20)}' is no canonical escape`, from),
    );
  }

  private after(end: string, from: number): number {
    const at = this.input.indexOf(end, from);
    return at < 0 ? this.fail("a processing instruction is not closed", from) : at + end.length;
  }

  private fail(why: string, at: number): never {
    throw new Error(`Not canonical XML: ${why} (character ${String(at)}).`);
  }
}
