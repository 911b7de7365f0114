/** Where an element ends, found by counting tags of its own name in bytes that need not be well-formed inside. */
import { isEmptyTag, LT, opensHere, tagEnd } from "./markup.js";
import { TagFinder, type FoundOther } from "./tag-finder.js";

const BANG = 0x21;
const QUESTION = 0x3f;

export interface ElementEnd {
  /** Index of the `<` of the closing tag. */
  readonly contentEnd: number;
  /** Index behind the closing tag. */
  readonly end: number;
}

interface Hidden {
  readonly opening: string;
  readonly closing: string;
}

/** What may hold text that looks like tags. */
const hiding: readonly Hidden[] = [
  { opening: "<!--", closing: "-->" },
  { opening: "<![CDATA[", closing: "]]>" },
  { opening: "<?", closing: "?>" },
];

/** Behind a comment, CDATA section or instruction; behind its first two bytes when it never ends. */
function behind(bytes: Buffer, { start }: FoundOther): number {
  const text = bytes.toString("latin1", start, start + 9);
  const hidden = hiding.find(({ opening }) => text.startsWith(opening));
  if (hidden === undefined) return start + 2;
  const found = bytes.indexOf(hidden.closing, start + hidden.opening.length, "latin1");
  return found < 0 ? start + 2 : found + hidden.closing.length;
}

/** Of the element whose start tag of this qualified name ends before `from`. Undefined: it is never closed. */
export function elementEnd(bytes: Buffer, qname: string, from: number): ElementEnd | undefined {
  return plainEnd(bytes, qname, from) ?? countedEnd(bytes, qname, from);
}

/** The usual case by native search alone: nothing in front of the first closing tag hides or nests anything. */
function plainEnd(bytes: Buffer, qname: string, from: number): ElementEnd | undefined {
  const contentEnd = bytes.indexOf(`</${qname}`, from);
  if (contentEnd < 0) return undefined;
  const content = bytes.subarray(from, contentEnd);
  if (holds(content, BANG) || holds(content, QUESTION) || content.includes(`<${qname}`)) return undefined;
  const end = tagEnd(bytes, contentEnd);
  return end < 0 || opensHere(bytes, contentEnd, `/${qname}`) !== true ? undefined : { contentEnd, end };
}

/** `<!` or `<?`: looked for by the second byte, which is the rarer one. */
function holds(bytes: Buffer, second: number): boolean {
  for (let at = bytes.indexOf(second); at >= 0; at = bytes.indexOf(second, at + 1)) {
    if (bytes[at - 1] === LT) return true;
  }
  return false;
}

function countedEnd(bytes: Buffer, qname: string, from: number): ElementEnd | undefined {
  const finder = new TagFinder([qname]);
  let depth = 1;
  let at = from;
  for (let found = finder.find(bytes, at); found !== undefined; found = finder.find(bytes, at)) {
    if (found.what !== "tag") {
      at = behind(bytes, found);
      continue;
    }
    const end = tagEnd(bytes, found.start);
    at = end < 0 ? found.start + 1 : end;
    if (found.closing) depth--;
    else if (end >= 0 && !isEmptyTag(bytes, end)) depth++;
    if (depth === 0) return { contentEnd: found.start, end: at };
  }
  return undefined;
}
