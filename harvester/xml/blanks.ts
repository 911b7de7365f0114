/** Takes the blanks between elements out of canonical XML: one pass over bytes, because a callback per node costs ten times as much. */

const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const QUOTE = 0x22;
const QUESTION = 0x3f;

/**
 * Removes runs of blanks between two tags, unless they are the whole content of an element (`<a> </a>`). Input must be
 * canonical XML: attribute values in double quotes with `<` and `"` escaped, no CDATA, no comments, no empty-element tags.
 */
export function dropBlanksBetweenElements(canonical: Uint8Array): Uint8Array {
  const kept = new Uint8Array(canonical.length);
  let size = 0;
  let afterStartTag = false;
  for (let at = 0; at < canonical.length;) {
    const tag = canonical.indexOf(LT, at);
    const textEnd = tag < 0 ? canonical.length : tag;
    const wholeContent = afterStartTag && canonical[textEnd + 1] === SLASH;
    if (wholeContent || !blank(canonical, at, textEnd)) {
      kept.set(canonical.subarray(at, textEnd), size);
      size += textEnd - at;
    }
    if (tag < 0) break;
    const end = tagEnd(canonical, tag);
    kept.set(canonical.subarray(tag, end), size);
    size += end - tag;
    afterStartTag = canonical[tag + 1] !== SLASH && canonical[tag + 1] !== QUESTION;
    at = end;
  }
  return kept.subarray(0, size);
}

/** The index behind the `>` that ends the tag: not one inside an attribute value. */
function tagEnd(bytes: Uint8Array, tag: number): number {
  if (bytes[tag + 1] === QUESTION) return instructionEnd(bytes, tag);
  let quoted = false;
  for (let at = tag + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) quoted = !quoted;
    else if (byte === GT && !quoted) return at + 1;
  }
  return bytes.length;
}

function instructionEnd(bytes: Uint8Array, tag: number): number {
  let at = bytes.indexOf(GT, tag);
  while (at >= 0 && bytes[at - 1] !== QUESTION) at = bytes.indexOf(GT, at + 1);
  return at < 0 ? bytes.length : at + 1;
}

/** Canonical XML writes a carriage return as `&#xD;`: only space, tab and line feed are left. */
function blank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x09) return false;
  }
  return true;
}
