/** A batch in the form it is written: each identifier once, in order, in statements of bounded size. Pure. */
import { identifierKey } from "./storable.js";

/** A statement of up to 200 bodies blocks the embedded engine about 0.15 s, and stays within PostgreSQL's work_mem. */
const maxRows = 200;
const maxBytes = 2 * 1024 * 1024;

interface Identified {
  readonly identifier: string;
  readonly sequence?: number;
}

/**
 * One item an identifier, under its storable key: the highest sequence, then the last (case C94). One statement may not
 * meet a row twice (SQLSTATE 21000). Sorted, so that two writers lock in one order.
 */
export function latestOfEach<T extends Identified>(items: readonly T[]): readonly T[] {
  const latest = new Map<string, T>();
  for (const item of items) {
    const identifier = identifierKey(item.identifier);
    const earlier = latest.get(identifier);
    if (earlier !== undefined && isHigher(earlier.sequence, item.sequence)) continue;
    latest.set(identifier, identifier === item.identifier ? item : { ...item, identifier });
  }
  return [...latest.values()].sort((a, b) => (a.identifier < b.identifier ? -1 : 1));
}

function isHigher(earlier: number | undefined, later: number | undefined): boolean {
  return earlier !== undefined && later !== undefined && earlier > later;
}

/** Items in order, cut so that no slice has more than 200 items or, unless it has one item, more than 2 MiB. */
export function slices<T extends { readonly packed?: Uint8Array }>(
  items: readonly T[],
): readonly (readonly T[])[] {
  const all: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = item.packed?.length ?? 0;
    const current = all.at(-1);
    if (current === undefined || current.length >= maxRows || bytes + size > maxBytes) {
      all.push([item]);
      bytes = size;
    } else {
      current.push(item);
      bytes += size;
    }
  }
  return all;
}
