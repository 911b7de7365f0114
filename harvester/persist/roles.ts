/** The three database roles: harvest_owner migrates, harvest_writer harvests, harvest_reader looks. */
import { readFileSync } from "node:fs";
import type { Db } from "./db.js";

/** Creates the roles (again) and hands existing tables to the owner; needs an administrator of the database. */
export async function createRoles(db: Db): Promise<void> {
  await db.script(sqlFile("roles.sql"));
  await grantRoles(db);
}

/** States what each role may do; nothing unless the tables belong to harvest_owner: roles span all databases of a server. */
export async function grantRoles(db: Db): Promise<void> {
  const [row] = await db.query<{ owner: string }>(
    "SELECT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE oid = to_regclass('sweep_stage')",
  );
  if (row?.owner === "harvest_owner") await db.script(sqlFile("grants.sql"));
}

function sqlFile(name: string): string {
  return readFileSync(new URL(`./migrations/roles/${name}`, import.meta.url), "utf8");
}
