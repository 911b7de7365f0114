/** Strict reading of one start tag and of character data: what is not well-formed is refused with its place. */
import { LT, tagEnd } from "./markup.js";

/** Not well-formed, or beyond the bounds of this reader. `offset` counts bytes of what was read. */
export class XmlError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = "XmlError";
    this.offset = offset;
  }
}

/** Prefix → namespace, "" for the default one. */
export type Scope = ReadonlyMap<string, string>;

export interface OpenTag {
  readonly qname: string;
  readonly prefix: string;
  readonly local: string;
  /** By qualified name, entities resolved. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly empty: boolean;
  /** Index behind its `>`. */
  readonly end: number;
}

const MAX_TAG_BYTES = 65_536;
const MAX_ATTRIBUTES = 256;
const NAME = "[A-Za-z_\\u0080-\\uFFFF][\\w.\\-\\u0080-\\uFFFF]*";
const QNAME = new RegExp(`(?:(${NAME}):)?(${NAME})`, "y");
const ATTRIBUTE = new RegExp(`\\s+((?:${NAME}:)?${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, "y");
const ENTITY = /&(#\d{1,8};|#x[0-9a-fA-F]{1,8};|[A-Za-z]{1,8};)?/g;
const PREDEFINED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** May this code point stand in XML 1.0 (§2.2)? */
export function isXmlChar(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

function entityText(name: string | undefined, offset: number): string {
  if (name === undefined) throw new XmlError("an '&' that begins no reference", offset);
  const bare = name.slice(0, -1);
  if (!bare.startsWith("#")) {
    const text = Object.hasOwn(PREDEFINED, bare) ? PREDEFINED[bare] : undefined;
    if (text === undefined) throw new XmlError(`the entity '&${name}', which XML does not define`, offset);
    return text;
  }
  const code = bare.startsWith("#x")
    ? Number.parseInt(bare.slice(2), 16)
    : Number.parseInt(bare.slice(1), 10);
  if (!isXmlChar(code)) throw new XmlError(`the character reference '&${name}', illegal in XML`, offset);
  return String.fromCodePoint(code);
}

/** Character data with its references resolved: the five of XML and numbers, no others. */
export function resolveEntities(raw: string, offset: number): string {
  return raw.includes("&")
    ? raw.replace(ENTITY, (_, name: string | undefined) => entityText(name, offset))
    : raw;
}

/** The start tag at `at`. */
export function readOpenTag(bytes: Buffer, at: number): OpenTag {
  const end = tagEnd(bytes, at);
  if (bytes[at] !== LT || end < 0 || bytes[end - 1] !== 0x3e)
    throw new XmlError("a tag that is not closed", at);
  if (end - at > MAX_TAG_BYTES) throw new XmlError(`a tag of more than ${String(MAX_TAG_BYTES)} bytes`, at);
  const text = bytes.toString("utf8", at + 1, end - 1);
  QNAME.lastIndex = 0;
  const name = QNAME.exec(text);
  if (name === null) throw new XmlError("a '<' that begins no tag", at);
  const { attributes, rest } = readAttributes(text, QNAME.lastIndex, at);
  if (rest !== "" && rest !== "/") throw new XmlError(`a damaged tag '${name[0].slice(0, 64)}'`, at);
  return {
    qname: name[0],
    prefix: name[1] ?? "",
    local: name[2] ?? "",
    attributes,
    empty: rest === "/",
    end,
  };
}

function readAttributes(
  text: string,
  from: number,
  offset: number,
): { attributes: Map<string, string>; rest: string } {
  const attributes = new Map<string, string>();
  let next = from;
  for (;;) {
    ATTRIBUTE.lastIndex = next;
    const found = ATTRIBUTE.exec(text);
    if (found === null) return { attributes, rest: text.slice(next).trim() };
    const [, name = "", double, single = ""] = found;
    if (attributes.has(name))
      throw new XmlError(`the attribute '${name.slice(0, 64)}' twice in one tag`, offset);
    if (attributes.size >= MAX_ATTRIBUTES) throw new XmlError("a tag with too many attributes", offset);
    attributes.set(name, resolveEntities(double ?? single, offset));
    next = ATTRIBUTE.lastIndex;
  }
}

/** The namespaces in force inside a tag. */
export function scopeInside(tag: OpenTag, outer: Scope): Scope {
  let inner: Map<string, string> | undefined;
  for (const [name, value] of tag.attributes) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
    inner ??= new Map(outer);
    inner.set(name === "xmlns" ? "" : name.slice(6), value);
  }
  return inner ?? outer;
}

export function namespaceOf(tag: OpenTag, scope: Scope): string {
  return scope.get(tag.prefix) ?? "";
}
