import type { PageEnd, PageItem } from "../record.js";
import type { PageEvent } from "../protocols/pages.js";

/** Records that are judged and committed together, in the order they came. */
export interface Portion {
  readonly items: readonly PageItem[];
  /** Present when this portion ends a page: then the cursor moves with it. */
  readonly page?: { readonly end: PageEnd; readonly received: number; readonly complete: boolean };
}

/** facts: a statement over 2-3 MB of bodies spills to disk in PostgreSQL; 100 records of 8-25 kB pack well below. */
const MOST_ITEMS = 100;
const MOST_BYTES = 4 * 1024 * 1024;

export interface PortionHooks {
  /** A page is asked again: what it delivered so far and is not yet handed on is forgotten. */
  readonly onRestart: (reason: string) => void;
}

/**
 * Cuts the events of a list into portions of bounded size. A portion never spans pages, and one that does not end a
 * page moves no cursor: a crash then repeats the page, and the store knows the records already.
 */
export async function* portions(
  events: AsyncGenerator<PageEvent, unknown, void>,
  hooks: PortionHooks,
): AsyncGenerator<Portion, void, void> {
  let items: PageItem[] = [];
  let size = 0;
  for await (const event of events) {
    if (event.kind === "item") {
      items.push(event.item);
      size += sizeOf(event.item);
    }
    if (event.kind === "restart") {
      items = [];
      size = 0;
      hooks.onRestart(event.reason);
    }
    const full = items.length >= MOST_ITEMS || size >= MOST_BYTES;
    if (event.kind !== "page" && !full) continue;
    yield { items, page: event.kind === "page" ? event : undefined };
    items = [];
    size = 0;
  }
}

function sizeOf(item: PageItem): number {
  return item.kind === "broken" ? item.raw.byteLength : (item.body?.byteLength ?? 0);
}
