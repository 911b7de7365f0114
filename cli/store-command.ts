import { Flags } from "@oclif/core";
import { openDatabase, storeDirectory } from "../harvester/open-database.js";
import type { Db } from "../harvester/persist/db.js";
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
}
