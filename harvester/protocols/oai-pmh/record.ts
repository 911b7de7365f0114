/** One slice of a page as a record: header, payload, about containers; or what is wrong with it (law 2). */
import type { BrokenRecord, Header, PageItem, RawRecord, Warning } from "../../record.js";
import { elementEnd } from "../element-end.js";
import { toUtf8 } from "../encoding.js";
import { LT } from "../markup.js";
import type { BrokenSlice, ItemSlice } from "../page-shape.js";
import { sanitise, type Sanitised } from "../sanitise.js";
import { childrenNamed, childText, readElement, skipMisc, trimXml, type XmlElement } from "../xml-reader.js";
import { namespaceOf, readOpenTag, scopeInside, XmlError, type OpenTag, type Scope } from "../xml-tag.js";
import { readDatestamp } from "./datestamp.js";
import { cleaned } from "./foreign.js";
import { readPayload, type Metadata } from "./payload.js";

export interface ItemContext {
  readonly want: "records" | "headers";
  /** Charset of the content type. */
  readonly charset?: string;
}

const MAX_IDENTIFIER = 2048;
const MAX_SETS = 1000;
const KEPT_OF_BROKEN = 65_536;
const SALVAGE_BYTES = 8192;

/** What was cut out of a page, read. Never throws because of the bytes. */
export function readItem(slice: ItemSlice, context: ItemContext): PageItem {
  const utf8 = toUtf8(slice.bytes, { charset: context.charset, declared: slice.declaredEncoding });
  if (utf8 === undefined)
    return broken(slice.bytes, "invalid-utf8", "The record has bytes that are not UTF-8.");
  const clean = sanitise(utf8.bytes);
  const { buffer, byteOffset, length } = (clean ?? utf8).bytes;
  const warnings = [...decodedWarning(utf8), ...sanitisedWarning(clean)];
  try {
    const read = context.want === "headers" ? headerItem : recordItem;
    return read(Buffer.from(buffer, byteOffset, length), slice.scope, warnings);
  } catch (error) {
    return brokenBy(error, slice.bytes);
  }
}

function brokenBy(error: unknown, bytes: Uint8Array): BrokenRecord {
  if (error instanceof Unreadable) return broken(bytes, error.rule, error.message);
  if (!(error instanceof XmlError)) throw error;
  if (isDoctype(bytes, error.offset))
    return broken(
      bytes,
      "doctype-forbidden",
      "The record holds a DOCTYPE: it is never read, as it can name files and addresses outside the record.",
    );
  const place = `at byte ${String(error.offset)} of the record`;
  return broken(bytes, "record-malformed", `The record is damaged: ${error.message} (${place}).`);
}

function isDoctype(bytes: Uint8Array, at: number): boolean {
  return /^<!doctype$/i.test(Buffer.from(bytes.subarray(at, at + 9)).toString("latin1"));
}

export function readBroken(slice: BrokenSlice): BrokenRecord {
  return broken(slice.bytes, slice.rule, slice.sentence);
}

function decodedWarning(utf8: { readonly decodedFrom?: string }): Warning[] {
  if (utf8.decodedFrom === undefined) return [];
  return [
    { code: "decoded", sentence: `The record was decoded from ${utf8.decodedFrom}; OAI-PMH demands UTF-8.` },
  ];
}

function sanitisedWarning(clean: Sanitised | undefined): Warning[] {
  if (clean === undefined) return [];
  const where = `the first at byte ${String(clean.firstOffset)} of the record`;
  return [
    {
      code: "sanitised",
      sentence: `${String(clean.removed)} characters that XML forbids were taken out, ${where}.`,
    },
  ];
}

/** Well-formed, but no record. */
class Unreadable extends Error {
  readonly rule: string;

  constructor(rule: string, sentence: string) {
    super(sentence);
    this.rule = rule;
  }
}

function broken(bytes: Uint8Array, rule: string, sentence: string): BrokenRecord {
  const identifier = salvagedIdentifier(bytes);
  return {
    kind: "broken",
    violation: { gate: "envelope", rule, severity: "error", message: sentence },
    raw: bytes.subarray(0, KEPT_OF_BROKEN),
    ...(identifier === undefined ? {} : { identifier }),
  };
}

/** The identifier, when the damage left it readable in front of the payload. */
function salvagedIdentifier(bytes: Uint8Array): string | undefined {
  const [head = ""] = Buffer.from(bytes.subarray(0, SALVAGE_BYTES))
    .toString("utf8")
    .split(/<(?:[^\s:<>/]{1,64}:)?metadata\b/, 1);
  const found = /<(?:[^\s:<>/]{1,64}:)?identifier(?:\s[^<>]{0,500})?>([^<]{1,2048})<\//.exec(head)?.[1];
  const identifier =
    found === undefined ? "" : cleaned(found.replaceAll("&amp;", "&")).replaceAll("\uFFFD", "");
  return identifier === "" ? undefined : identifier;
}

function headerItem(bytes: Buffer, scope: Scope, warnings: Warning[]): RawRecord {
  const { element } = readElement(bytes, 0, scope);
  return { kind: "record", header: readHeader(element, warnings), about: [], warnings };
}

interface Parts {
  header?: XmlElement;
  metadata?: Metadata;
  readonly about: string[];
}

function recordItem(bytes: Buffer, outer: Scope, warnings: Warning[]): RawRecord {
  const tag = readOpenTag(bytes, 0);
  const parts = readParts(bytes, { tag, scope: scopeInside(tag, outer) }, warnings);
  if (parts.header === undefined) throw new Unreadable("header-missing", "The record has no header.");
  const header = readHeader(parts.header, warnings);
  if (header.deleted) return { kind: "record", header, about: parts.about, warnings };
  if (parts.metadata === undefined) {
    throw new Unreadable("metadata-missing", "The record is not deleted, but has no metadata.");
  }
  const body = readPayload(bytes, parts.metadata);
  if (body === undefined) throw new Unreadable("metadata-empty", "The record's metadata holds no element.");
  return { kind: "record", header, body, about: parts.about, warnings };
}

/** The children of a record, told apart by namespace and local name alone (case C62). */
function readParts(bytes: Buffer, record: { tag: OpenTag; scope: Scope }, warnings: Warning[]): Parts {
  const parts: Parts = { about: [] };
  const own = namespaceOf(record.tag, record.scope);
  let at = record.tag.empty ? bytes.length : skipMisc(bytes, record.tag.end);
  while (bytes[at] === LT && bytes[at + 1] !== 0x2f) {
    const tag = readOpenTag(bytes, at);
    const scope = scopeInside(tag, record.scope);
    const role = namespaceOf(tag, scope) === own ? tag.local : "";
    at = skipMisc(bytes, readPart(bytes, { tag, scope, role, at }, { parts, outer: record.scope, warnings }));
  }
  if (at < bytes.length && bytes[at] !== LT) throw new XmlError("text between the parts of the record", at);
  return parts;
}

interface Part {
  readonly tag: OpenTag;
  readonly scope: Scope;
  readonly role: string;
  readonly at: number;
}

/** Takes one child in; the index behind it. */
function readPart(
  bytes: Buffer,
  part: Part,
  into: { parts: Parts; outer: Scope; warnings: Warning[] },
): number {
  const { tag, role, at } = part;
  const { parts } = into;
  if (role === "header") {
    const { element, end } = readElement(bytes, at, into.outer);
    if (parts.header !== undefined) throw new XmlError("two headers in one record", at);
    parts.header = element;
    return end;
  }
  const found = tag.empty ? { contentEnd: tag.end, end: tag.end } : elementEnd(bytes, tag.qname, tag.end);
  if (found === undefined) throw new XmlError(`no closing tag for '${tag.qname}'`, at);
  if (role === "metadata") {
    if (parts.metadata !== undefined) throw new XmlError("metadata twice in one record", at);
    parts.metadata = { from: tag.end, to: found.contentEnd, scope: part.scope };
  } else if (role === "about") parts.about.push(bytes.toString("utf8", at, found.end));
  else
    into.warnings.push({
      code: "unknown-element",
      sentence: `The record has a part '${tag.qname.slice(0, 64)}' that OAI-PMH does not know.`,
    });
  return found.end;
}

function readHeader(element: XmlElement, warnings: Warning[]): Header {
  const identifier = childText(element, "identifier") ?? "";
  if (identifier === "") throw new Unreadable("identifier-missing", "The record's header has no identifier.");
  if (identifier.length > MAX_IDENTIFIER) {
    throw new Unreadable(
      "identifier-too-long",
      `The record's identifier has more than ${String(MAX_IDENTIFIER)} characters.`,
    );
  }
  const written = childText(element, "datestamp");
  const datestamp = readDatestamp(written);
  if (datestamp === undefined) {
    const text = cleaned(written ?? "").slice(0, 64);
    warnings.push({
      code: "datestamp-unreadable",
      sentence: `The record's datestamp '${text}' is no time; it is kept without one.`,
    });
  }
  const sets = childrenNamed(element, "setSpec").map((set) => trimXml(set.text));
  return {
    identifier,
    sets: [...new Set(sets)].filter((set) => set !== "").slice(0, MAX_SETS),
    deleted: trimXml(element.attributes.get("status") ?? "").toLowerCase() === "deleted",
    ...(datestamp === undefined ? {} : { datestamp }),
  };
}
