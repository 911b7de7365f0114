/** Takes out what XML 1.0 §2.2 does not allow to stand in a document, raw or as a character reference (case C54). */
import { isXmlChar } from "./xml-tag.js";

export interface Sanitised {
  readonly bytes: Uint8Array;
  /** How many characters or references were taken out. */
  readonly removed: number;
  /** Byte offset of the first one. */
  readonly firstOffset: number;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const NON_CHARACTERS = [Buffer.from([0xef, 0xbf, 0xbe]), Buffer.from([0xef, 0xbf, 0xbf])];

function rawControls(bytes: Buffer): Range[] {
  const found: Range[] = [];
  const words = wordsOf(bytes);
  for (let word = 0; word < words.length; word++) {
    // Is one of the four bytes below 0x20? Nearly always none is, which one comparison tells.
    const four = words[word] ?? 0;
    if (((four - 0x20202020) & ~four & 0x80808080) !== 0)
      controlsIn(bytes, { from: word * 4, to: word * 4 + 4 }, found);
  }
  controlsIn(bytes, { from: words.length * 4, to: bytes.length }, found);
  return found;
}

/** Four bytes at a time, as far as they lie so in memory. */
function wordsOf({ buffer, byteOffset, length }: Buffer): Int32Array {
  return byteOffset % 4 === 0
    ? new Int32Array(buffer, byteOffset, Math.floor(length / 4))
    : new Int32Array(0);
}

function controlsIn(bytes: Buffer, range: Range, found: Range[]): void {
  for (let at = range.from; at < range.to; at++) {
    const byte = bytes[at] ?? 0x20;
    if (byte < 0x20 && byte !== 0x9 && byte !== 0xa && byte !== 0xd) found.push({ from: at, to: at + 1 });
  }
}

function nonCharacters(bytes: Buffer): Range[] {
  const found: Range[] = [];
  for (const pattern of NON_CHARACTERS) {
    for (let at = bytes.indexOf(pattern); at >= 0; at = bytes.indexOf(pattern, at + 3))
      found.push({ from: at, to: at + 3 });
  }
  return found;
}

function referenceAt(bytes: Buffer, at: number): Range | undefined {
  const text = /^&#(x[0-9a-fA-F]{1,8}|[0-9]{1,8});/.exec(bytes.toString("latin1", at, at + 12));
  if (text === null) return undefined;
  const digits = text[1] ?? "";
  const code = digits.startsWith("x") ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  return isXmlChar(code) ? undefined : { from: at, to: at + text[0].length };
}

/** In a CDATA section `&#11;` is five harmless letters. */
function cdataRanges(bytes: Buffer): Range[] {
  const found: Range[] = [];
  for (let from = bytes.indexOf("<![CDATA["); from >= 0;) {
    const end = bytes.indexOf("]]>", from + 9);
    const to = end < 0 ? bytes.length : end + 3;
    found.push({ from, to });
    from = bytes.indexOf("<![CDATA[", to);
  }
  return found;
}

function illegalReferences(bytes: Buffer): Range[] {
  const found: Range[] = [];
  for (let at = bytes.indexOf("&#"); at >= 0; at = bytes.indexOf("&#", at + 2)) {
    const range = referenceAt(bytes, at);
    if (range !== undefined) found.push(range);
  }
  if (found.length === 0) return found;
  const sections = cdataRanges(bytes);
  let section = 0;
  return found.filter(({ from }) => {
    while ((sections[section]?.to ?? Infinity) <= from) section++;
    return from < (sections[section]?.from ?? Infinity);
  });
}

function without(bytes: Buffer, ranges: readonly Range[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const range of ranges) {
    parts.push(bytes.subarray(from, range.from));
    from = range.to;
  }
  parts.push(bytes.subarray(from));
  return Buffer.concat(parts);
}

/** Undefined: nothing to take out (the usual case, without a copy). */
export function sanitise(given: Uint8Array): Sanitised | undefined {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
  const ranges = [...rawControls(bytes), ...nonCharacters(bytes), ...illegalReferences(bytes)];
  const first = ranges.sort((a, b) => a.from - b.from)[0];
  if (first === undefined) return undefined;
  return { bytes: without(bytes, ranges), removed: ranges.length, firstOffset: first.from };
}
