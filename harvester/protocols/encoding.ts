/**
 * From whatever encoding a source uses to UTF-8 (OAI-PMH §3.2 demands UTF-8; cases C56, C57). Bytes that are valid
 * UTF-8 are believed whatever their label says; else the order of RFC 7303 §3 decides: byte-order mark, charset
 * parameter, XML declaration. Nothing is guessed from the content.
 */
import { isUtf8 } from "node:buffer";

export interface EncodingLabels {
  /** The charset parameter of the content type. */
  readonly charset?: string | undefined;
  /** The encoding of the XML declaration. */
  readonly declared?: string | undefined;
}

export function charsetOf(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([A-Za-z0-9_.:-]{1,40})/i.exec(contentType ?? "")?.[1]?.toLowerCase();
}

export function declaredEncoding(declaration: string): string | undefined {
  return /\sencoding\s*=\s*["']([A-Za-z0-9_.:-]{1,40})["']/.exec(declaration)?.[1]?.toLowerCase();
}

const UTF8_NAMES = new Set(["utf-8", "utf8", "us-ascii", "ascii"]);
/** Labels that cannot be true of bytes split at ASCII `<`. */
const NOT_BYTE_WISE = /^(utf-?16|utf-?32|ucs|iso-2022)/;

/** The first label that names something else than UTF-8. */
export function foreignLabel(labels: EncodingLabels): string | undefined {
  return [labels.charset, labels.declared].find((label) => label !== undefined && !UTF8_NAMES.has(label));
}

function decodeAs(bytes: Uint8Array, label: string): Uint8Array | undefined {
  try {
    return Buffer.from(new TextDecoder(label, { fatal: true }).decode(bytes), "utf8");
  } catch {
    return undefined; // An unknown label, or bytes that are not in it.
  }
}

/** The bytes as UTF-8; `decodedFrom` names the label that was needed. Undefined: in no encoding that was declared. */
export function toUtf8(
  bytes: Uint8Array,
  labels: EncodingLabels,
): { readonly bytes: Uint8Array; readonly decodedFrom?: string } | undefined {
  if (isUtf8(bytes)) return { bytes };
  for (const label of [labels.charset, labels.declared]) {
    if (label === undefined || UTF8_NAMES.has(label) || NOT_BYTE_WISE.test(label)) continue;
    const decoded = decodeAs(bytes, label);
    if (decoded !== undefined) return { bytes: decoded, decodedFrom: label };
  }
  return undefined;
}

function utf16Of(head: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const [a, b] = head;
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return "utf-16le";
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return "utf-16be";
  return undefined;
}

/** A body in bytes that can be split at ASCII characters: UTF-16 is transcoded, a byte-order mark is taken off. */
export async function* splittableBytes(
  body: AsyncIterable<Uint8Array>,
  onTranscode: (encoding: string) => void,
): AsyncGenerator<Uint8Array, void, void> {
  let head: Uint8Array | undefined = new Uint8Array(0);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of body) {
    let bytes: Uint8Array = chunk;
    if (head !== undefined) {
      bytes = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      head = bytes.length < 3 ? bytes : undefined;
      if (head !== undefined) continue;
      const encoding = utf16Of(bytes);
      if (encoding !== undefined) {
        decoder = new TextDecoder(encoding);
        onTranscode(encoding);
      } else bytes = withoutMark(bytes);
    }
    yield decoder === undefined ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }), "utf8");
  }
  if (head !== undefined && head.length > 0) yield head;
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
