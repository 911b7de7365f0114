/** Which compression a body really has: its first bytes are believed before its header (case C72). */

export type Coding = "identity" | "gzip" | "deflate" | "deflate-raw" | "br";

export interface CodingVerdict {
  readonly coding: Coding | "unknown";
  /** Set when the header said something else. */
  readonly mislabelled: boolean;
}

/** First bytes needed for a verdict. */
export const HEAD_BYTES = 32;

/** Names of `content-encoding`, outermost last, in lower case, without `identity`. */
export function declaredCodings(header: string | undefined): string[] {
  const names = (header ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== "" && name !== "identity");
}

/** `head`: the first HEAD_BYTES, or the whole of a shorter body. `declared`: what the header says of this layer. */
export function sniffCoding(head: Uint8Array, declared: string | undefined): CodingVerdict {
  if (head.length === 0) return { coding: "identity", mislabelled: false };
  const name = declared?.replace(/^x-/, "");
  if (head[0] === 0x1f && head[1] === 0x8b) return { coding: "gzip", mislabelled: name !== "gzip" };
  if (looksLikeText(head)) return { coding: "identity", mislabelled: name !== undefined };
  return byName(head, name);
}

function byName(head: Uint8Array, name: string | undefined): CodingVerdict {
  switch (name) {
    case undefined:
      return isUsualZlib(head)
        ? { coding: "deflate", mislabelled: true }
        : { coding: "identity", mislabelled: false };
    case "br":
      return { coding: "br", mislabelled: false };
    case "deflate":
      // RFC 9110 means zlib; some servers send the bare stream.
      return { coding: hasZlibHeader(head) ? "deflate" : "deflate-raw", mislabelled: false };
    case "gzip":
      return { coding: hasZlibHeader(head) ? "deflate" : "identity", mislabelled: true };
    default:
      return { coding: "unknown", mislabelled: false };
  }
}

/** RFC 1950 §2.2: method 8, and the two bytes are a multiple of 31. */
function hasZlibHeader(head: Uint8Array): boolean {
  const [first = 0, second = 0] = head;
  return (first & 0x0f) === 8 && first >> 4 <= 7 && ((first << 8) | second) % 31 === 0;
}

/** Undeclared, only the header every zlib writes by default is believed. */
function isUsualZlib(head: Uint8Array): boolean {
  return head[0] === 0x78 && hasZlibHeader(head);
}

/** Printable UTF-8, or a byte order mark. Very short text counts only when it begins like markup or JSON. */
function looksLikeText(head: Uint8Array): boolean {
  const [first = 0, second = 0] = head;
  if ((first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe)) return true;
  let text: string;
  try {
    // `stream`: the head may end inside a character.
    text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
  } catch {
    return false;
  }
  // eslint's no-control-regex does not see property escapes; Cc without the white space XML allows.
  if (/\p{Cc}/u.test(text.replace(/[\t\n\r]/g, ""))) return false;
  return head.length >= 8 || /^\s*[<{[]/.test(text);
}
