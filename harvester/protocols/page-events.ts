/** What reading a list tells, as it happens. */
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import type { Capabilities, Instant, PageEnd, PageItem, UnfinishedList, Warning, Window } from "../record.js";
import type { Wire } from "./exchange.js";
import type { ListQuestion, Protocol, ReadLimits } from "./protocol.js";

export type PageEvent =
  | { readonly kind: "item"; readonly item: PageItem }
  /**
   * What was delivered since the last `page` event comes again (`page`), or the whole window does (`window`). Nothing
   * committed is wrong. What came since the last `page` event, and only that, may be dropped.
   */
  | { readonly kind: "restart"; readonly scope: "page" | "window"; readonly reason: string }
  | {
      readonly kind: "page";
      readonly end: PageEnd;
      /** 1 for the first page read. */
      readonly ordinal: number;
      /** Items of this page, and of the list so far (those of an earlier run included). */
      readonly items: number;
      readonly received: number;
      /** The `end` event follows at once. Not the same as `resume` being absent: see there. */
      readonly last: boolean;
      /**
       * Where the list can be taken up again when this page is committed. Absent on its last page, in parts of a window
       * (bisect.ts), and where the source tells no time; what the page delivered is good all the same.
       */
      readonly resume?: ResumePoint | undefined;
    }
  | ListEnd;

export type ResumePoint = Omit<UnfinishedList, "storedAt">;

/** The last event. Only a complete list moves the watermark or is compared for removals (laws 1 and 3). */
export interface ListEnd {
  readonly kind: "end";
  readonly complete: boolean;
  /** The source said that there is nothing (noRecordsMatch). */
  readonly nothing: boolean;
  readonly received: number;
  /** Damaged items without a readable identifier: with any of them, no record can be called missing from the list. */
  readonly unnamed: number;
  /** The server's clock at the window's first answer; absent when it never told. */
  readonly windowTime?: Instant;
  readonly listSize?: number;
  readonly warnings: readonly Warning[];
}

export interface Budget {
  readonly maxPages: number;
  /** In a row, with a token for more. */
  readonly maxEmptyPages: number;
  /** Windows begun anew after an expired token. */
  readonly maxRestarts: number;
  /** Missing to completeListSize, in percent of it, before the list counts as cut. */
  readonly tolerancePercent: number;
}

export const defaultBudget: Budget = {
  maxPages: 1_000_000,
  maxEmptyPages: 10,
  maxRestarts: 3,
  tolerancePercent: 1,
};

export interface ListJob {
  readonly protocol: Protocol;
  readonly spec: HarvestSourceSpec;
  readonly wire: Wire;
  readonly want: ListQuestion["want"];
  readonly window: Window;
  readonly set: string;
  readonly granularity: Capabilities["granularity"];
  readonly limits: ReadLimits;
  readonly resume?: UnfinishedList | undefined;
  readonly budget?: Partial<Budget>;
}
