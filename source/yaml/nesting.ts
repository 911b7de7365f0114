import type { CST } from "yaml";

type Token = CST.Token | null | undefined;

/**
 * Deepest nesting of a parsed but not yet composed document. Counted without recursion: composing ten thousand open
 * brackets overflows the stack in a place where the engine aborts the whole process instead of throwing.
 */
export function nesting(document: CST.Token): number {
  const open: { readonly token: Token; readonly depth: number }[] = [{ token: document, depth: 0 }];
  let deepest = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const depth = next.depth;
    deepest = Math.max(deepest, depth);
    for (const token of children(next.token)) open.push({ token, depth: depth + 1 });
  }
  return deepest;
}

function children(token: Token): readonly Token[] {
  if (token === null || token === undefined) return [];
  if (token.type === "document") return [token.value];
  if (!("items" in token)) return [];
  return token.items.flatMap((item) => [item.key, item.value]);
}
