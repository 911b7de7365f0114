/** Lists repeat identifiers (case C94): of several deliveries of one record in a batch, one is used. */
import type { Header } from "../record.js";

export interface Newest<T> {
  /** In the order in which they came. */
  readonly kept: readonly T[];
  /** Superseded in the same batch: skipped as `duplicate-in-batch`. */
  readonly dropped: readonly T[];
}

/** The later datestamp wins, then the later position; one without datestamp counts by position alone. */
export function newestOfEach<T>(items: readonly T[], headerOf: (item: T) => Header): Newest<T> {
  const winners = new Map<string, T>();
  for (const item of items) {
    const header = headerOf(item);
    const rival = winners.get(header.identifier);
    if (rival === undefined || !isBefore(header, headerOf(rival))) winners.set(header.identifier, item);
  }
  const kept = items.filter((item) => winners.get(headerOf(item).identifier) === item);
  return { kept, dropped: items.filter((item) => winners.get(headerOf(item).identifier) !== item) };
}

function isBefore(header: Header, rival: Header): boolean {
  return (
    header.datestamp !== undefined && rival.datestamp !== undefined && header.datestamp < rival.datestamp
  );
}
