/** From the bytes of one XML document to UTF-8 without a byte-order mark (XML 1.0 appendix F). */
import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";

export type Decoded =
  | { readonly kind: "utf8"; readonly bytes: Uint8Array }
  | { readonly kind: "unknown"; readonly label: string }
  /** `offset`: index of the first wrong byte, where it can be found. */
  | { readonly kind: "wrong"; readonly label: string; readonly offset?: number };

/** Character sets that catalogues really send; UTF-7, EBCDIC and the like have served only to get past filters. */
const ACCEPTED =
  /^(utf-8|utf-16(le|be)?|us-ascii|ascii|iso-8859-\d{1,2}|latin-?\d|windows-125\d|koi8-[ru]|shift_jis|euc-(jp|kr)|gbk?|gb2312|gb18030|big5)$/;

/** A byte-order mark wins over the declaration; without either it is UTF-8. */
export function decodeXml(bytes: Uint8Array): Decoded {
  const marked = byMark(bytes);
  const label = marked ?? declared(bytes) ?? "utf-8";
  if (!ACCEPTED.test(label)) return { kind: "unknown", label };
  if (label === "utf-8" || label === "us-ascii" || label === "ascii") return checked(withoutMark(bytes));
  if (marked === undefined && label.startsWith("utf-16")) {
    // The declaration was readable as ASCII, so it cannot be UTF-16: a harvester before us has re-encoded it (case C56).
    return checked(bytes);
  }
  return transcoded(bytes, label);
}

/** First bytes and what they say: a mark, or a `<` of two bytes (appendix F.1). */
const MARKS: readonly { readonly bytes: readonly number[]; readonly label: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], label: "utf-8" },
  { bytes: [0xff, 0xfe], label: "utf-16le" },
  { bytes: [0xfe, 0xff], label: "utf-16be" },
  { bytes: [0x3c, 0x00], label: "utf-16le" },
  { bytes: [0x00, 0x3c], label: "utf-16be" },
];

function byMark(bytes: Uint8Array): string | undefined {
  return MARKS.find((mark) => mark.bytes.every((byte, at) => bytes[at] === byte))?.label;
}

function declared(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString(
    "latin1",
  );
  return /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']{1,40})["']/.exec(start)?.[1]?.toLowerCase();
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function checked(bytes: Uint8Array): Decoded {
  return isUtf8(bytes)
    ? { kind: "utf8", bytes }
    : { kind: "wrong", label: "utf-8", offset: firstWrongByte(bytes) };
}

/** Halves the text until the first byte that is not UTF-8 is found. */
function firstWrongByte(bytes: Uint8Array): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decodes(decoder, bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/** A character cut at the end is not yet wrong. */
function decodes(decoder: TextDecoder, bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  } finally {
    flush(decoder);
  }
}

function flush(decoder: TextDecoder): void {
  try {
    decoder.decode();
  } catch {
    // What was kept of a cut character is meant to be thrown away.
  }
}

function transcoded(bytes: Uint8Array, label: string): Decoded {
  if (label === "windows-1252" || label === "iso-8859-1")
    return { kind: "utf8", bytes: fromWindows1252(bytes) };
  try {
    return {
      kind: "utf8",
      bytes: Buffer.from(new TextDecoder(label, { fatal: true }).decode(bytes), "utf8"),
    };
  } catch {
    return { kind: "wrong", label };
  }
}

/** What windows-1252 has from 0x80 to 0x9F; the gaps are its five unused bytes. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** By hand, because Node 20 decodes windows-1252 as ISO-8859-1; what calls itself the latter is the former (WHATWG Encoding §4.2). */
function fromWindows1252(bytes: Uint8Array): Uint8Array {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return Buffer.from(
    latin1.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control),
    "utf8",
  );
}
