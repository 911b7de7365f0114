/** Does an item of the list start here, in the list's namespace (case C62)? */
import type { ItemNames } from "./item-scanner.js";
import { opensHere } from "./markup.js";
import { namespaceOf, readOpenTag, scopeInside, type Scope } from "./xml-tag.js";

const NAME_BYTES = 512;
const ITEM = /^<(?:([^\s:/<>]+):)?([^\s:/<>]+)/;

export interface ListContext {
  readonly scope: Scope;
  readonly namespace: string;
}

/** Its prefix, with colon; undefined: something else starts here. */
export function itemPrefix(view: Buffer, names: ItemNames, list: ListContext): string | undefined {
  // The usual case, told by comparing bytes: the list's own prefix and no attributes.
  const plain = names.listPrefix + names.item;
  if (view[1 + plain.length] === 0x3e && opensHere(view, 0, plain) === true) return names.listPrefix;
  const found = ITEM.exec(view.toString("utf8", 0, NAME_BYTES));
  if (found === null || found[2] !== names.item) return undefined;
  const prefix = found[1] ?? "";
  if (namespaceAt(view, prefix, list.scope) !== list.namespace) return undefined;
  return prefix === "" ? "" : `${prefix}:`;
}

/** Judged with the tag's own declarations, when it can be read. */
function namespaceAt(view: Buffer, prefix: string, scope: Scope): string {
  try {
    const tag = readOpenTag(view, 0);
    return namespaceOf(tag, scopeInside(tag, scope));
  } catch {
    return scope.get(prefix) ?? "";
  }
}
