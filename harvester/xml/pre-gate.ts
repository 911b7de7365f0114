/** What is decided about a payload before any XML engine sees a byte of it: size, character set, no DOCTYPE. */
import { type Violation } from "../record.js";
import { decodeXml } from "./encoding.js";

export type PreGate =
  | {
      readonly kind: "ready";
      /** UTF-8, from the first `<` on. */
      readonly utf8: Uint8Array;
      /** Lines cut off before it: add them to every line the engine reports. */
      readonly linesBefore: number;
    }
  | { readonly kind: "refused"; readonly violation: Violation };

/** `maxBytes`: as delivered; the decoded text may be three times that. */
export function preGate(payload: Uint8Array, maxBytes: number): PreGate {
  if (payload.byteLength > maxBytes) return tooLarge(payload.byteLength, maxBytes);
  const decoded = decodeXml(payload);
  if (decoded.kind === "unknown") {
    return refuse(
      "encoding-unknown",
      `The record declares the character set "${printable(decoded.label)}", which is not accepted: send UTF-8.`,
      1,
    );
  }
  if (decoded.kind === "wrong") return wrongBytes(payload, decoded.label, decoded.offset);
  const start = firstNonBlank(decoded.bytes);
  if (start === decoded.bytes.length)
    return refuse("empty", "The record is empty: there is no element in it.");
  const utf8 = decoded.bytes.subarray(start);
  const linesBefore = lines(decoded.bytes, start);
  const doctype = findDoctype(utf8);
  if (doctype === undefined) return { kind: "ready", utf8, linesBefore };
  return refuse(
    "doctype-forbidden",
    "The record has a document type declaration (DOCTYPE). Entities are not accepted: send the text itself.",
    linesBefore + lines(utf8, doctype) + 1,
  );
}

function tooLarge(size: number, limit: number): PreGate {
  return refuse(
    "too-large",
    `The record has ${size.toLocaleString("en")} bytes; the limit is ${limit.toLocaleString("en")}.`,
  );
}

function wrongBytes(payload: Uint8Array, label: string, offset: number | undefined): PreGate {
  const where = offset === undefined ? "" : ` (byte ${String(offset + 1)})`;
  const line = offset === undefined ? undefined : lines(payload, offset) + 1;
  return refuse(
    "bad-encoding",
    `The record has bytes that are not ${label.toUpperCase()}${where}: it was written in another character set.`,
    line,
  );
}

function refuse(rule: string, message: string, line?: number): PreGate {
  return {
    kind: "refused",
    violation: { gate: "well-formed", rule, severity: "error", message, ...(line !== undefined && { line }) },
  };
}

/** A record may be preceded by blank lines and a mark (case C57); XML 1.0 forbids blanks before its declaration. */
function firstNonBlank(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && isBlank(bytes[at])) at += 1;
  return at;
}

/**
 * The index of `<!DOCTYPE` in the prolog, where alone it may stand (XML 1.0 §2.8): after the declaration, comments,
 * instructions and blanks. Anything else that starts with `<!` there is not XML, and the parser will say so.
 */
function findDoctype(bytes: Uint8Array): number | undefined {
  let at = 0;
  for (;;) {
    while (isBlank(bytes[at])) at += 1;
    const next = behindMisc(bytes, at);
    if (next === undefined) return startsWith(bytes, at, "<!DOCTYPE") ? at : undefined;
    at = next;
  }
}

/** The index behind a comment or instruction that starts here; undefined when none does or it never ends. */
function behindMisc(bytes: Uint8Array, at: number): number | undefined {
  const end = startsWith(bytes, at, "<!--") ? "-->" : startsWith(bytes, at, "<?") ? "?>" : undefined;
  if (end === undefined) return undefined;
  const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(end, at + 2, "latin1");
  return found < 0 ? undefined : found + end.length;
}

function startsWith(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Line feeds before an index. */
function lines(bytes: Uint8Array, before: number): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0 && at < before; at = bytes.indexOf(0x0a, at + 1)) count += 1;
  return count;
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}
