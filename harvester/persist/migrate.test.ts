import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshEmbeddedStore } from "../../tests/setup/embedded.js";
import { createDatabase, testPostgres, type TestDatabase } from "../../tests/setup/postgres.js";
import type { Db } from "./db.js";
import { openEmbedded } from "./embedded.js";
import { demandMigrated, migrate } from "./migrate.js";
import { openPostgres } from "./postgres.js";

const released = new URL("./migrations/", import.meta.url);

/** A folder with the released migrations and these files besides. */
function folderWith(files: Readonly<Record<string, string>>): { readonly url: URL; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), "migrations-"));
  cpSync(released, dir, { recursive: true });
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(dir, name), sql);
  return {
    url: pathToFileURL(`${dir}/`),
    remove: () => {
      rmSync(dir, { recursive: true });
    },
  };
}

const server = await testPostgres();

async function onPostgres(test: (url: string) => Promise<void>): Promise<void> {
  let database: TestDatabase | undefined;
  try {
    database = await createDatabase(server!);
    await test(database.url);
  } finally {
    await database?.drop();
  }
}

describe.skipIf(server === undefined)("migrations on PostgreSQL", () => {
  afterAll(() => server?.stop());

  it("four processes at once: one does the work, none fails", () =>
    onPostgres(async (url) => {
      const slow = folderWith({ "0003-slow.sql": "SELECT pg_sleep(0.3); CREATE TABLE made_once (a int)" });
      const doors = await Promise.all([1, 2, 3, 4].map(() => openPostgres(url)));
      const done = await Promise.all(doors.map((db) => migrate(db, slow.url)));
      expect(done.flat().sort()).toEqual(["0001-store.sql", "0002-removed-sources.sql", "0003-slow.sql"]);
      await Promise.all(doors.map((db) => db.close()));
      slow.remove();
    }));

  it("a migration that fails leaves nothing behind and may be corrected", () =>
    onPostgres(async (url) => {
      const db = await openPostgres(url);
      const broken = folderWith({ "0003-next.sql": "CREATE TABLE half (a int); SELECT broken" });
      await expect(migrate(db, broken.url)).rejects.toThrow('column "broken" does not exist');
      expect(
        await db.query(
          "SELECT to_regclass('half') AS half, (SELECT count(*)::int FROM migration) AS applied",
        ),
      ).toEqual([{ half: null, applied: 2 }]);
      broken.remove();
      const mended = folderWith({ "0003-next.sql": "CREATE TABLE half (a int)" });
      expect(await migrate(db, mended.url)).toEqual(["0003-next.sql"]);
      mended.remove();
      await db.close();
    }));
});

describe("migrations on the embedded store", () => {
  let db: Db;
  let remove: () => void;

  beforeAll(async () => {
    const store = await freshEmbeddedStore();
    ({ remove } = store);
    db = await openEmbedded(store.dir);
  });
  afterAll(async () => {
    await db.close();
    remove();
  });

  it("a store not migrated says what to do", async () => {
    await expect(demandMigrated(db)).rejects.toMatchObject({
      kind: "store",
      code: "NotMigrated",
      message: "The database lacks 2 schema change(s), from 0001-store.sql on.",
    });
  });

  it("are applied once, in order", async () => {
    expect(await migrate(db)).toEqual(["0001-store.sql", "0002-removed-sources.sql"]);
    expect(await migrate(db)).toEqual([]);
    await expect(demandMigrated(db)).resolves.toBeUndefined();
  });

  it("refuse a file that was changed after it was applied; line ends do not count", async () => {
    const crlf = folderWith({
      "0001-store.sql": readFileSync(new URL("0001-store.sql", released), "utf8").replaceAll("\n", "\r\n"),
    });
    expect(await migrate(db, crlf.url)).toEqual([]);
    crlf.remove();
    const changed = folderWith({ "0001-store.sql": "CREATE TABLE other (a int)" });
    await expect(migrate(db, changed.url)).rejects.toMatchObject({ kind: "store", code: "MigrationChanged" });
    changed.remove();
  });

  it("refuse a database newer than the code", async () => {
    const newer = folderWith({ "0003-future.sql": "CREATE TABLE future (a int)" });
    expect(await migrate(db, newer.url)).toEqual(["0003-future.sql"]);
    newer.remove();
    await expect(migrate(db)).rejects.toMatchObject({
      kind: "store",
      code: "DatabaseNewer",
      message:
        "The database has schema change 0003-future.sql, which this harvestctl does not know: it is newer than this program.",
    });
  });
});
