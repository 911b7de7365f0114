import type { Wire } from "../protocols/exchange.js";
import type { Capabilities, Cursor, CursorKey, Instant } from "../record.js";

/** One set of the source in this run: what is asked, and how far it has come. */
export interface SetTask {
  readonly key: CursorKey;
  readonly wire: Wire;
  readonly capabilities: Capabilities;
  readonly tombstones: boolean;
  /** When the list ends complete it stands in for a sweep. */
  readonly countsAsSwept: boolean;
  /** Identifiers are staged for the comparison with the store (delta.mode full and snapshot). */
  readonly stage: boolean;
  /** Where the set stood when the run began. */
  readonly start: Cursor;
  /** Whether the source is known to have the set (demand-set.ts). */
  readonly proven: { exists: boolean };
}

export interface Listed {
  readonly complete: boolean;
  /** Identifiers the source listed. */
  readonly count: number;
  /** Server time of the list: what `sweptAt` becomes. */
  readonly time?: Instant;
}

export interface SetResult {
  readonly cursor: Cursor;
  readonly listed: Listed;
}
