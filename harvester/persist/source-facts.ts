/** What the store knows of its sources, for a review of a policy change. One statement; reads only, takes no hold. */
import type { RunFacts, StoreFacts } from "../../source/review/facts.js";
import type { Db } from "./db.js";
import { sourceFacts } from "./sql/source-facts.js";

/** More than one policy holds; a store with more is read up to here, by name. */
const MOST_SOURCES = 10_000;

interface FactsRow {
  readonly name: string;
  readonly records: number;
  readonly quarantined: number;
  readonly lastRun: RunFacts | null;
  readonly lastFullRun: RunFacts | null;
  readonly longestSeconds: number | null;
  readonly skewSeconds: number | null;
}

/**
 * Facts of every source by its name in the store: the manifest's name, in a cluster `namespace/name`.
 *
 * - `lastRun`, and the ten runs behind `longestSeconds` and `skewSeconds`, are harvests that ended: not a replay of the
 *   quarantine, and not a run still going. A run whose process vanished counts as the last one, but its length is not known.
 * - `skewSeconds` is a size without a sign, and absent while no run has recorded it (harvester/report/skew.ts).
 *
 * Throws Fault `store`.
 */
export async function readSourceFacts(db: Db): Promise<ReadonlyMap<string, StoreFacts>> {
  const rows = await db.query<FactsRow>(sourceFacts, [MOST_SOURCES]);
  return new Map(rows.map((row) => [row.name, factsOf(row)]));
}

function factsOf(row: FactsRow): StoreFacts {
  const { records, quarantined, lastRun, lastFullRun, longestSeconds, skewSeconds } = row;
  return {
    records,
    quarantined,
    ...(lastRun === null ? {} : { lastRun }),
    ...(lastFullRun === null ? {} : { lastFullRun }),
    ...(longestSeconds === null ? {} : { longestSeconds }),
    ...(skewSeconds === null ? {} : { skewSeconds }),
  };
}
