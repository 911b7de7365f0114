import { Flags } from "@oclif/core";
import { openDatabase, storeDirectory } from "../harvester/open-database.js";
import type { Db } from "../harvester/persist/db.js";
import { openStore } from "../harvester/persist/open-store.js";
import type { Store } from "../harvester/persist/store.js";
import { BaseCommand, rootFlag } from "./base-command.js";

export const storeFlags = {
  ...rootFlag,
  store: Flags.string({
    summary: "Folder of the embedded store; DATABASE_URL, when set, names a PostgreSQL instead.",
    helpGroup: "GLOBAL",
  }),
};

/** A command that reads or writes the store: opens it, and closes it whatever happens. */
export abstract class StoreCommand extends BaseCommand {
  protected async withDatabase<T>(
    where: { root: string; store?: string },
    work: (db: Db) => Promise<T>,
  ): Promise<T> {
    const directory = where.store ?? storeDirectory(where.root);
    const db = await openDatabase({ url: process.env["DATABASE_URL"], directory });
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  }

  /** The same with a store for runs: what it still holds of a host is given back, or the next run would wait for it. */
  protected withStore<T>(
    where: { root: string; store?: string },
    work: (store: Store, db: Db) => Promise<T>,
  ): Promise<T> {
    return this.withDatabase(where, async (db) => {
      const store = openStore(db);
      try {
        return await work(store, db);
      } finally {
        await store.close();
      }
    });
  }
}
