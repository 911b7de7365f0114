import { isNode, isPair, visit, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import type { Edit } from "./edit.js";

interface Removal {
  readonly text: string;
  readonly parent: YAMLMap | YAMLSeq;
  readonly item: Pair | Node;
}

/**
 * Takes a field or an item out: its whole lines in a block, itself and a comma in brackets. undefined where something
 * else stands on its lines, or an anchor in it may be needed elsewhere.
 */
export function removeItem({ text, parent, item }: Removal): Edit | undefined {
  if (hasAnchor(item)) return undefined;
  const span = spanOf(item);
  if (span === undefined) return undefined;
  return parent.flow === true ? inBrackets({ text, parent, item }, span) : wholeLines(text, span);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** From the first character of the key to the last of the value. */
function spanOf(item: Pair | Node): Span | undefined {
  let start = Infinity;
  let end = -1;
  visit(item as Node, (_, node) => {
    const range = isPair(node) ? undefined : (node as Node).range;
    if (!range) return;
    start = Math.min(start, range[0]);
    end = Math.max(end, range[1]);
  });
  return end < 0 ? undefined : { start, end };
}

function hasAnchor(item: Pair | Node): boolean {
  let found = false;
  visit(item as Node, (_, node) => {
    if (isNode(node) && "anchor" in node && node.anchor !== undefined) found = true;
  });
  return found;
}

function wholeLines(text: string, { start, end }: Span): Edit | undefined {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  // Before it: blanks, and the dash of the item itself; not the dash of a map that begins with it.
  if (!/^ *(- +)?$/.test(text.slice(from, start))) return undefined;
  const last = end > start && text[end - 1] === "\n" ? end - 1 : end;
  const lineEnd = text.indexOf("\n", last);
  const to = lineEnd === -1 ? text.length : lineEnd + 1;
  if (!/^:?[ ]*(#.*)?\r?\n?$/.test(text.slice(last, to))) return undefined;
  return { start: from, end: to, text: "" };
}

function inBrackets({ text, parent, item }: Removal, { start, end }: Span): Edit | undefined {
  const items = parent.items as readonly (Pair | Node)[];
  const i = items.indexOf(item);
  const next = items[i + 1] === undefined ? undefined : spanOf(items[i + 1] as Pair | Node);
  const before = items[i - 1] === undefined ? undefined : spanOf(items[i - 1] as Pair | Node);
  const edit =
    next !== undefined
      ? { start, end: next.start, text: "" }
      : { start: before?.end ?? start, end: afterColon(text, end), text: "" };
  // A comment or a line break between two items belongs to somebody.
  return /[#\n]/.test(text.slice(edit.start, edit.end)) ? undefined : edit;
}

/** `a:` without a value ends behind its colon. */
function afterColon(text: string, end: number): number {
  return /^ *:/.test(text.slice(end)) ? text.indexOf(":", end) + 1 : end;
}
