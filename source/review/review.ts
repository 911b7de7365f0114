import type { Finding } from "../finding.js";
import type { Consequence } from "./consequence.js";
import type { LiveFacts } from "./facts.js";
import type { SourceChange } from "./source-change.js";

/** What a change does, for all formats. Deterministic: sorted, nothing of the clock but `firstRun`. */
export interface Review {
  /** Labels of the two sides. */
  readonly base: string;
  readonly head: string;
  readonly counts: ReviewCounts;
  /** A row for every source that changes, or whose policy or host does; most severe first, then by key. */
  readonly rows: readonly BlastRow[];
  /** Most severe first, then by source and id. */
  readonly consequences: readonly Consequence[];
  /** What lint says of the head and no consequence tells; `known` = the base had it too. */
  readonly findings: readonly ReviewedFinding[];
  /** Every source that is not unchanged. */
  readonly changes: readonly SourceChange[];
  /** Cluster facts by key, when it was asked. */
  readonly live?: ReadonlyMap<string, LiveFacts>;
  /** What this review could not know, a sentence each: no store, no cluster, a base that cannot be read. */
  readonly unknowns: readonly string[];
  /** SHA-256 in hex over both sides: equal digests give equal reviews. */
  readonly digest: string;
}

export interface ReviewCounts {
  readonly added: number;
  readonly changed: number;
  readonly renamed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Of consequences and of findings the base did not have. */
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
}

export interface ReviewedFinding {
  readonly finding: Finding;
  readonly known: boolean;
}

/** A source and what it does to its host. */
export interface BlastRow {
  readonly key: string;
  readonly kind: SourceChange["kind"];
  /** Short words for the fields that change, e.g. "prefix, concurrency"; or "rules/geo-business-rules.sch". */
  readonly what: readonly string[];
  readonly host: string;
  /** Requests in flight at the host, summed over its sources that are not suspended. */
  readonly inFlight: Then<number>;
  /** Of the head; absent = nobody wrote one down. */
  readonly ceiling?: number;
  readonly runsPerDay: Then<number>;
  /** Requests a day at the host by this source: measured requests of a run where a store knows, else at least 2 a run. */
  readonly requestsPerDay: Then<number>;
  readonly requestsMeasured: boolean;
  /** First run after `now`, by the installed schedule; absent = suspended, removed or never. */
  readonly firstRun?: {
    readonly at: Date;
    readonly timeZone: string;
    readonly local: string;
    readonly dst?: string;
  };
  /** What will be asked for again because of the change. */
  readonly readAgain: ReadAgain;
  readonly owners: readonly string[];
}

export interface Then<T> {
  readonly before: T;
  readonly after: T;
}

export type ReadAgain =
  | { readonly kind: "nothing" }
  | { readonly kind: "all"; readonly records?: number; readonly bytes?: number; readonly seconds?: number };
