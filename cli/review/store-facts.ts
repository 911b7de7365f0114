import { asFault } from "../../harvester/fault.js";
import { impactFacts, measureImpact } from "../../harvester/impact/measure-impact.js";
import type { Impact } from "../../harvester/impact/impact.js";
import { storeItems } from "../../harvester/impact/store-items.js";
import { openDatabaseToRead, storeDirectory } from "../../harvester/open-database.js";
import type { Db } from "../../harvester/persist/db.js";
import { readSourceFacts } from "../../harvester/persist/source-facts.js";
import { replayPairs } from "./replay-pairs.js";
import type { KnownFacts, PolicyRoots, Trees } from "./run-review.js";

export interface StoreWish {
  /** Of PostgreSQL; empty or absent = the embedded store of the policy root, if there is one. */
  readonly url: string | undefined;
  /** Policy root on the disk. */
  readonly root: string;
  /** Folder of the embedded store, when it is another. */
  readonly directory?: string | undefined;
}

/** Records replayed at most: enough to see one in a thousand, and done in seconds. */
const SAMPLE = 2000;
const SEED = "harvestctl diff";

/** What the store knows of the sources, and what changed rules do to its records. Reads only; never throws. */
export async function storeFacts(wish: StoreWish, trees: Trees, roots: PolicyRoots): Promise<KnownFacts> {
  const directory = wish.directory ?? storeDirectory(wish.root);
  try {
    const db = await openDatabaseToRead({ directory, ...(wish.url === undefined ? {} : { url: wish.url }) });
    if (db === undefined) return { facts: {}, unknowns: [] };
    try {
      return await readFacts(db, trees, roots);
    } finally {
      await db.close();
    }
  } catch (error) {
    const { sentence } = asFault(error).detail;
    return { facts: {}, unknowns: [`The store could not be asked: ${sentence}`] };
  }
}

async function readFacts(db: Db, trees: Trees, roots: PolicyRoots): Promise<KnownFacts> {
  const store = await readSourceFacts(db);
  const impact = await measureImpact({
    baseRoot: roots.base,
    headRoot: roots.head,
    pairs: replayPairs(trees),
    records: storeItems(db),
    sample: { size: SAMPLE, seed: SEED },
  });
  const facts = impact.sources.length === 0 ? { store } : { store, impact: impactFacts(impact) };
  return { facts, unknowns: notReplayed(impact) };
}

function notReplayed({ notReplayed: all }: Impact): readonly string[] {
  return all.filter(({ reason }) => reason !== "unknown").map(({ sentence }) => sentence);
}
