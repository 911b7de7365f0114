/** The catalogue of the end-to-end story: a real PostgreSQL with the shipped roles, and a user who may harvest into it. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { migrate } from "../../harvester/persist/migrate.js";
import { openPostgres } from "../../harvester/persist/postgres.js";
import { createRoles } from "../../harvester/persist/roles.js";
import { createDatabase, type PostgresServer } from "./postgres.js";

export interface Catalogue {
  /** For a member of harvest_writer and of nothing else. */
  readonly writerUrl: string;
  /** As the administrator. */
  query<Row extends pg.QueryResultRow>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  remove(): Promise<void>;
}

export async function openCatalogue(server: PostgresServer): Promise<Catalogue> {
  const database = await createDatabase(server);
  const admin = await openPostgres(database.url);
  await createRoles(admin);
  await migrate(admin);
  await createRoles(admin);
  const user = `pods_${randomUUID().slice(0, 8)}`;
  const password = randomUUID();
  await admin.script(`CREATE ROLE ${user} LOGIN PASSWORD '${password}' IN ROLE harvest_writer`);
  await admin.close();
  const url = new URL(database.url);
  url.username = user;
  url.password = password;
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  pool.on("error", () => undefined);
  return {
    writerUrl: url.href,
    async query<Row extends pg.QueryResultRow>(sql: string, params: readonly unknown[] = []) {
      return (await pool.query<Row>(sql, [...params])).rows;
    },
    async remove() {
      await pool.query(`DROP ROLE ${user}`);
      await pool.end();
      await database.drop();
    },
  };
}
