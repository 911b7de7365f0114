/** Takes the blanks between elements out of canonical XML: one pass over bytes, because a callback per node costs ten times as much. */

const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const QUOTE = 0x22;
const QUESTION = 0x3f;

/**
 * Removes runs of blanks between two tags, unless they are the whole content of an element (`<a> </a>`). Works in
 * place on the first `length` bytes and gives the new length. Input must be canonical XML: attribute values in double
 * quotes with `<` and `"` escaped, no CDATA, no comments, no empty-element tags, carriage returns as references.
 */
export function dropBlanksBetweenElements(bytes: Uint8Array, length: number): number {
  let size = 0;
  let afterStartTag = false;
  for (let at = 0; at < length;) {
    const textEnd = tagStart(bytes, at, length);
    const next = bytes[textEnd + 1];
    const wholeContent = afterStartTag && next === SLASH;
    if (wholeContent || !blank(bytes, at, textEnd))
      size = move(bytes, { from: at, to: textEnd, target: size });
    if (textEnd === length) return size;
    at = next === QUESTION ? instructionEnd(bytes, textEnd) : tagEnd(bytes, textEnd);
    size = move(bytes, { from: textEnd, to: at, target: size });
    afterStartTag = next !== SLASH && next !== QUESTION;
  }
  return size;
}

/** Byte by byte: the pieces are short, and a native call costs more than it saves. */
function move(
  bytes: Uint8Array,
  piece: { readonly from: number; readonly to: number; readonly target: number },
): number {
  let { target } = piece;
  for (let at = piece.from; at < piece.to; at += 1) {
    bytes[target] = bytes[at] ?? 0;
    target += 1;
  }
  return target;
}

function tagStart(bytes: Uint8Array, from: number, length: number): number {
  let at = from;
  while (at < length && bytes[at] !== LT) at += 1;
  return at;
}

/** Canonical XML writes a carriage return as a reference: only space, tab and line feed are left. */
function blank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    if ((bytes[at] ?? 0) > 0x20) return false;
  }
  return true;
}

/** The index behind the `>` that ends the tag: not one inside an attribute value. */
function tagEnd(bytes: Uint8Array, tag: number): number {
  let quoted = false;
  for (let at = tag + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) quoted = !quoted;
    else if (byte === GT && !quoted) return at + 1;
  }
  return bytes.length;
}

function instructionEnd(bytes: Uint8Array, tag: number): number {
  for (let at = tag + 2; at < bytes.length; at += 1) {
    if (bytes[at] === GT && bytes[at - 1] === QUESTION) return at + 1;
  }
  return bytes.length;
}
