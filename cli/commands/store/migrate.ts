import { Flags } from "@oclif/core";
import { Fault } from "../../../harvester/fault.js";
import { migrate } from "../../../harvester/persist/migrate.js";
import { openPostgres } from "../../../harvester/persist/postgres.js";
import { createRoles } from "../../../harvester/persist/roles.js";
import { BaseCommand } from "../../base-command.js";
import { plural } from "../../format/words.js";

export default class StoreMigrate extends BaseCommand {
  static override summary =
    "Bring a PostgreSQL database to this version, and make the roles of harvest pods.";
  static override description = `For operators: harvest pods connect as a member of harvest_writer, which may not change tables. The embedded store needs no such step. Safe to run again, and by several at once.

Exit codes: 0 up to date, 2 it could not be done.`;
  static override examples = [
    "DATABASE_URL=postgres://admin@db/catalogue <%= config.bin %> store migrate --roles",
  ];
  static override flags = {
    roles: Flags.boolean({
      summary: "Also make harvest_owner, harvest_writer and harvest_reader (needs CREATEROLE).",
    }),
  };

  async run(): Promise<{ applied: readonly string[]; roles: boolean }> {
    const { flags } = await this.parse(StoreMigrate);
    const url = process.env["DATABASE_URL"];
    if (url === undefined || url === "") throw noDatabase();
    const db = await openPostgres(url);
    try {
      const applied = await migrate(db);
      if (flags.roles) await createRoles(db);
      this.log(
        applied.length === 0
          ? "The database is up to date."
          : `Applied ${plural(applied.length, "migration")}: ${applied.join(", ")}.`,
      );
      if (flags.roles)
        this.log("Roles: harvest_owner migrates, harvest_writer harvests, harvest_reader looks.");
      return { applied, roles: flags.roles };
    } finally {
      await db.close();
    }
  }
}

function noDatabase(): Fault {
  return new Fault("config", {
    code: "NoDatabase",
    sentence: "DATABASE_URL is not set, so there is no PostgreSQL to migrate.",
    remedy: "Set it to the database, as a user who may create tables (and roles, with --roles).",
  });
}
