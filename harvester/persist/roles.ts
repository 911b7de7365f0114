/** The three database roles: harvest_owner migrates, harvest_writer harvests, harvest_reader looks. */
import { readFileSync } from "node:fs";
import type { Db } from "./db.js";

/** Creates the roles (again) and hands existing tables to the owner; needs an administrator of the database. */
export async function createRoles(db: Db): Promise<void> {
  await db.script(sqlFile("roles.sql"));
  await grantRoles(db);
}

/** States what each role may do; nothing when the roles or the tables do not exist. */
export async function grantRoles(db: Db): Promise<void> {
  const [row] = await db.query<{ ready: boolean }>(
    "SELECT count(*) = 3 AND to_regclass('sweep_stage') IS NOT NULL AS ready FROM pg_roles WHERE rolname IN ('harvest_owner', 'harvest_writer', 'harvest_reader')",
  );
  if (row?.ready === true) await db.script(sqlFile("grants.sql"));
}

function sqlFile(name: string): string {
  return readFileSync(new URL(`./roles/${name}`, import.meta.url), "utf8");
}
