import type { ListEnd, PageEvent, ResumePoint } from "../protocols/page-events.js";
import type { PageItem } from "../record.js";

/** Records that are judged and committed together, in the order they came. */
export interface Portion {
  readonly items: readonly PageItem[];
  /** Where the list can be taken up again once this portion is committed; present when it ends a page. */
  readonly resume?: ResumePoint;
  /** Present on the last portion of a list. */
  readonly end?: ListEnd;
}

/** A statement over 2-3 MB of bodies spills to disk in PostgreSQL: 100 packed records of 8-25 kB stay well below. */
const MOST_ITEMS = 100;
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Cuts the events of a list into portions of bounded size. A portion that does not end a page moves no cursor: a crash
 * then repeats the page, and the store knows its records already. The last page waits for the list's verdict, so that
 * the watermark can move in the transaction of the last records (law 1).
 */
export async function* portions(
  events: AsyncGenerator<PageEvent, void, void>,
  onEvent: (event: PageEvent) => void,
): AsyncGenerator<Portion, void, void> {
  let items: PageItem[] = [];
  let size = 0;
  for await (const event of events) {
    onEvent(event);
    if (event.kind === "item") {
      items.push(event.item);
      size += sizeOf(event.item);
      if (items.length < MOST_ITEMS && size < MOST_BYTES) continue;
    }
    if (event.kind === "page" && event.last) continue;
    if (event.kind !== "restart") yield portionOf(items, event);
    items = [];
    size = 0;
  }
}

function portionOf(items: readonly PageItem[], event: PageEvent): Portion {
  if (event.kind === "end") return { items, end: event };
  return event.kind === "page" ? { items, resume: event.resume } : { items };
}

function sizeOf(item: PageItem): number {
  return item.kind === "broken" ? item.raw.byteLength : (item.body?.byteLength ?? 0);
}
