/** Where an element ends, found by counting tags of its own name in bytes that need not be well-formed inside. */
import { isEmptyTag, opensHere, Pattern, tagEnd } from "./markup.js";

export interface ElementEnd {
  /** Index of the `<` of the closing tag. */
  readonly contentEnd: number;
  /** Index behind the closing tag. */
  readonly end: number;
}

interface Marks {
  readonly opening: Pattern;
  readonly closing: Pattern;
  readonly declaration: Pattern;
  readonly instruction: Pattern;
}

/** Behind a comment, CDATA section or instruction; behind its first two bytes when it never ends. */
function behindMarkup(bytes: Buffer, at: number): number {
  const text = bytes.toString("latin1", at, at + 9);
  const end = text.startsWith("<!--")
    ? "-->"
    : text === "<![CDATA["
      ? "]]>"
      : text.startsWith("<?")
        ? "?>"
        : undefined;
  const found = end === undefined ? -1 : bytes.indexOf(end, at + 2, "latin1");
  return found < 0 || end === undefined ? at + 2 : found + end.length;
}

function nextMark(
  bytes: Buffer,
  marks: Marks,
  from: number,
): { readonly mark: keyof Marks; readonly at: number } | undefined {
  let best: { mark: keyof Marks; at: number } | undefined;
  for (const mark of ["opening", "closing", "declaration", "instruction"] as const) {
    const at = marks[mark].next(bytes, from);
    if (at >= 0 && (best === undefined || at < best.at)) best = { mark, at };
  }
  return best;
}

/** Of the element whose start tag of this qualified name ends before `from`. Undefined: it is never closed. */
export function elementEnd(bytes: Buffer, qname: string, from: number): ElementEnd | undefined {
  const marks: Marks = {
    opening: new Pattern(`<${qname}`),
    closing: new Pattern(`</${qname}`),
    declaration: new Pattern("<!"),
    instruction: new Pattern("<?"),
  };
  let depth = 1;
  let at = from;
  for (let found = nextMark(bytes, marks, at); found !== undefined; found = nextMark(bytes, marks, at)) {
    if (found.mark === "declaration" || found.mark === "instruction") {
      at = behindMarkup(bytes, found.at);
      continue;
    }
    const end = tagEnd(bytes, found.at);
    at = end < 0 ? found.at + 1 : end;
    depth += change(bytes, qname, { ...found, end });
    if (depth === 0) return { contentEnd: found.at, end: at };
  }
  return undefined;
}

function change(bytes: Buffer, qname: string, tag: { mark: keyof Marks; at: number; end: number }): number {
  if (tag.end < 0) return 0;
  if (tag.mark === "closing") return opensHere(bytes, tag.at, `/${qname}`) === true ? -1 : 0;
  return opensHere(bytes, tag.at, qname) === true && !isEmptyTag(bytes, tag.end) ? 1 : 0;
}
