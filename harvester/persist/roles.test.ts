import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batch, change, key, refusal, runEnd, runStart } from "../../tests/store/samples.js";
import { createDatabase, testPostgres, type TestDatabase } from "../../tests/setup/postgres.js";
import type { Db } from "./db.js";
import { demandMigrated, migrate } from "./migrate.js";
import { openStore } from "./open-store.js";
import { openPostgres } from "./postgres.js";
import { resolveQuarantine } from "./quarantine-reading.js";
import { listSources } from "./reading.js";
import { createRoles } from "./roles.js";

const server = await testPostgres();
const tables = [
  "migration",
  "source",
  "record",
  "cursor",
  "run",
  "quarantine",
  "endpoint_state",
  "source_lease",
  "host_slot",
  "host_rate",
  "sweep_stage",
];
const verbs = ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"];

describe.skipIf(server === undefined)("database roles", () => {
  let database: TestDatabase;
  let admin: Db;
  let writer: Db;
  const users: string[] = [];

  beforeAll(async () => {
    database = await createDatabase(server!);
    admin = await openPostgres(database.url);
    await createRoles(admin);
    await migrate(admin);
    await createRoles(admin);
    writer = await as("harvest_writer");
  });
  afterAll(async () => {
    await writer.close();
    await admin.script(users.map((user) => `DROP ROLE ${user}`).join("; "));
    await admin.close();
    await database.drop();
    await server?.stop();
  });

  /** The same database for a user of its own who is a member of this role and of nothing else. */
  async function as(role: string): Promise<Db> {
    const user = `user_${randomUUID().slice(0, 8)}`;
    const password = randomUUID();
    await admin.script(`CREATE ROLE ${user} LOGIN PASSWORD '${password}' IN ROLE ${role}`);
    users.push(user);
    const url = new URL(database.url);
    url.username = user;
    url.password = password;
    return openPostgres(url.href, { maxConnections: 2 });
  }

  it("every table belongs to harvest_owner and is named in grants.sql", async () => {
    const names = await admin.query<{ tablename: string }>(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
    );
    expect(names.map((row) => row.tablename).sort()).toEqual([...tables].sort());
    const owners = await admin.query("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'");
    expect(owners).toEqual([{ tableowner: "harvest_owner" }]);
  });

  it("harvest_writer can do everything a run does", async () => {
    await demandMigrated(writer);
    expect(await migrate(writer)).toEqual([]);
    const store = openStore(writer);
    const run = await store.begin(runStart());
    await run.loadCursor(key);
    await run.commit(
      batch({
        changes: [change("r1", "A"), change("r2", "B")],
        refusals: [refusal("r3")],
        cursor: { watermark: "2026-11-01T00:00:00Z" },
      }),
    );
    await run.commit(
      batch({
        changes: [change("r1", "A2")],
        touches: [{ identifier: "r2", set: "s" }],
        withdrawals: [{ identifier: "r2", set: "s", reason: "tombstone" }],
        refusals: [refusal("r3")],
        healed: ["r4"],
        cursor: { watermark: "2026-11-02T00:00:00Z" },
      }),
    );
    await run.loadStates(["r1"]);
    await run.stageSweep(["r1"]);
    await run.sweep("", 10);
    await run.dropSweep();
    await run.countAlive();
    await run.saveEndpoint("e", { consecutiveFailures: 1 });
    await run.saveEndpoint("e", { consecutiveFailures: 0 });
    await (
      await run.acquireSlot("h", 2, new AbortController().signal)
    )();
    await run.reserve("h", 10);
    await run.reserve("h", 10);
    await run.finish(runEnd());
    expect(await resolveQuarantine(writer, 1, "dismissed")).toBe(true);
    const again = await store.begin(runStart({ runId: "run-2" }));
    await again.finish(runEnd());
  });

  it("harvest_writer has exactly these rights and can give itself no others", async () => {
    // PostgreSQL answers a grant of what one does not have with a warning.
    await writer.script("GRANT DELETE ON record TO harvest_writer");
    expect(await rightsOf("harvest_writer")).toEqual({
      migration: ["SELECT"],
      source: ["SELECT", "INSERT", "UPDATE"],
      record: ["SELECT", "INSERT", "UPDATE"],
      cursor: ["SELECT", "INSERT", "UPDATE", "DELETE"],
      run: ["SELECT", "INSERT", "UPDATE"],
      quarantine: ["SELECT", "INSERT", "UPDATE"],
      endpoint_state: ["SELECT", "INSERT", "UPDATE"],
      source_lease: ["SELECT", "INSERT", "UPDATE"],
      host_slot: ["SELECT", "INSERT", "UPDATE"],
      host_rate: ["SELECT", "INSERT", "UPDATE"],
      sweep_stage: ["SELECT", "INSERT", "DELETE"],
    });
  });

  it("harvest_reader only reads", async () => {
    const rights = await rightsOf("harvest_reader");
    expect(Object.entries(rights).filter(([, verbsOf]) => verbsOf.join() !== "SELECT")).toEqual([
      ["sweep_stage", []],
    ]);
    const reader = await as("harvest_reader");
    expect(await listSources(reader)).toHaveLength(1);
    await expect(openStore(reader).begin(runStart())).rejects.toMatchObject({
      kind: "store",
      code: "NotAllowed",
    });
    await reader.close();
  });

  it.each([
    "CREATE TABLE mine (a int)",
    "CREATE TEMP TABLE mine AS SELECT packed FROM record; ALTER TABLE record ADD mine int",
    "DROP TABLE record",
    "DELETE FROM record",
    "DELETE FROM quarantine",
    "DELETE FROM cursor",
    "DELETE FROM run",
    "TRUNCATE record",
    "UPDATE migration SET checksum = ''",
    "INSERT INTO migration (name, checksum) VALUES ('9999-x.sql', '')",
    "ALTER TABLE cursor DISABLE TRIGGER keep_watermark",
    "DROP FUNCTION keep_watermark() CASCADE",
    "ALTER TABLE cursor DISABLE TRIGGER keep_cursor",
    "DROP FUNCTION keep_cursor() CASCADE",
    "CREATE ROLE another",
    "SET ROLE harvest_owner",
    "UPDATE cursor SET watermark = '2020-01-01'",
  ])("harvest_writer may not: %s", async (sql) => {
    await expect(writer.script(sql)).rejects.toThrow();
  });

  async function rightsOf(role: string): Promise<Record<string, string[]>> {
    const rows = await admin.query<{ t: string; verb: string }>(
      `SELECT t, verb FROM unnest($1::text::text[]) WITH ORDINALITY AS a (t, i), unnest($2::text::text[]) WITH ORDINALITY AS b (verb, j)
       WHERE has_table_privilege($3, t, verb) ORDER BY i, j`,
      [`{${tables.join()}}`, `{${verbs.join()}}`, role],
    );
    return Object.fromEntries(
      tables.map((table) => [table, rows.filter((row) => row.t === table).map((row) => row.verb)]),
    );
  }
});
