import { resolve } from "node:path";
import { Fault } from "../../harvester/fault.js";
import { folderItems } from "../../harvester/impact/folder-items.js";
import type { ImpactRecords } from "../../harvester/impact/impact.js";
import { storeItems } from "../../harvester/impact/store-items.js";
import { openDatabase, openDatabaseToRead, storeDirectory } from "../../harvester/open-database.js";
import type { Db } from "../../harvester/persist/db.js";

export interface RecordsWish {
  readonly root: string;
  /** Folder of XML files; absent: the store. */
  readonly records: string | undefined;
  /** Folder of the embedded store. */
  readonly store: string | undefined;
  readonly databaseUrl: string | undefined;
}

export interface OpenRecords {
  readonly records: ImpactRecords;
  /** Files that belong to no source whose policy changes; none in a store. */
  strangers(): number;
  close(): Promise<void>;
}

/** Throws Fault `config` when there is neither a folder nor a store. */
export async function openRecords(wish: RecordsWish): Promise<OpenRecords> {
  if (wish.records !== undefined) {
    const items = await folderItems(resolve(wish.records));
    return { records: items, strangers: () => items.strangers(), close: () => Promise.resolve() };
  }
  const db = await openStoreToRead(wish);
  if (db === undefined) throw noRecords(wish);
  return { records: storeItems(db), strangers: () => 0, close: () => db.close() };
}

async function openStoreToRead({ root, store, databaseUrl }: RecordsWish): Promise<Db | undefined> {
  const choice = { url: databaseUrl, directory: store ?? storeDirectory(root) };
  try {
    return await openDatabaseToRead(choice);
  } catch (error) {
    // Too large for a copy in memory: then it is opened as a run opens it, and nobody else can use it meanwhile.
    if (error instanceof Fault && error.code === "StoreTooLarge") return openDatabase(choice);
    throw error;
  }
}

function noRecords({ root, store }: RecordsWish): Fault {
  return new Fault("config", {
    code: "NoRecords",
    sentence: `There is no store in ${store ?? storeDirectory(root)}, so there are no records to replay.`,
    remedy:
      "Set DATABASE_URL, harvest once with harvestctl run, or name a folder of XML records with --records.",
  });
}
