/** The one element inside `<metadata>`, as a document of its own: the same record gives the same bytes on every page. */
import { elementEnd } from "../element-end.js";
import { isNameByte, LT } from "../markup.js";
import { skipMisc } from "../xml-reader.js";
import { readOpenTag, XmlError, type OpenTag, type Scope } from "../xml-tag.js";

/** The content of `<metadata>` in a record's bytes, and the namespaces in force inside it. */
export interface Metadata {
  readonly from: number;
  readonly to: number;
  readonly scope: Scope;
}

const WHITE_SPACE = /[ \t\r\n]+$/;

/** Undefined: there is no element. Throws XmlError when it is not exactly one. */
export function readPayload(record: Buffer, metadata: Metadata): Uint8Array | undefined {
  const inside = record.subarray(0, metadata.to);
  const start = skipMisc(inside, metadata.from);
  if (start >= inside.length) return undefined;
  if (inside[start] !== LT) throw new XmlError("text where metadata holds one element", start);
  const tag = readOpenTag(inside, start);
  const end = tag.empty ? tag.end : elementEnd(inside, tag.qname, tag.end)?.end;
  if (end === undefined) return withDeclarations(trimmed(inside.subarray(start)), tag, metadata.scope);
  if (skipMisc(inside, end) < inside.length) throw new XmlError("more than one element in metadata", end);
  return withDeclarations(inside.subarray(start, end), tag, metadata.scope);
}

/** A payload that is never closed goes to the gate as it is: it knows best where it is not well-formed. */
function trimmed(bytes: Buffer): Buffer {
  const tail = WHITE_SPACE.exec(bytes.toString("latin1", Math.max(0, bytes.length - 1024)));
  return tail === null ? bytes : bytes.subarray(0, bytes.length - tail[0].length);
}

/** Declarations of the envelope that the payload needs are written on it, in the order of their prefixes. */
function withDeclarations(payload: Buffer, tag: OpenTag, scope: Scope): Uint8Array {
  const missing = [...scope]
    .filter(([prefix, namespace]) => needs(payload, tag, { prefix, namespace }))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([prefix, namespace]) => ` xmlns${prefix === "" ? "" : `:${prefix}`}="${escaped(namespace)}"`);
  if (missing.length === 0) return new Uint8Array(payload);
  const at = 1 + Buffer.byteLength(tag.qname);
  const parts = [payload.subarray(0, at), Buffer.from(missing.join(""), "utf8"), payload.subarray(at)];
  return new Uint8Array(Buffer.concat(parts));
}

/** A prefix that stands nowhere in the payload is not needed: so a change of the envelope changes no record. */
function needs(payload: Buffer, tag: OpenTag, binding: { prefix: string; namespace: string }): boolean {
  const { prefix, namespace } = binding;
  if (prefix === "") return namespace !== "" && !tag.attributes.has("xmlns");
  return !tag.attributes.has(`xmlns:${prefix}`) && mentions(payload, `${prefix}:`);
}

/** As a prefix, not as the end of a longer one. */
function mentions(payload: Buffer, prefix: string): boolean {
  for (let at = payload.indexOf(prefix); at >= 0; at = payload.indexOf(prefix, at + 1)) {
    if (!isNameByte(payload[at - 1])) return true;
  }
  return false;
}

function escaped(namespace: string): string {
  return namespace
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;")
    .replace(/[\t\r\n]/g, (space) => `&#${String(space.charCodeAt(0))};`);
}
