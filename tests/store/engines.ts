/** The three stores, opened for a test file: every behaviour is stated once and run on each. */
import { openEmbedded } from "../../harvester/persist/embedded.js";
import type { Db } from "../../harvester/persist/db.js";
import { openMemoryStore } from "../../harvester/persist/memory-store.js";
import { migrate } from "../../harvester/persist/migrate.js";
import { openStore } from "../../harvester/persist/open-store.js";
import { openPostgres } from "../../harvester/persist/postgres.js";
import type { Store } from "../../harvester/persist/store.js";
import { freshEmbeddedStore } from "../setup/embedded.js";
import { createDatabase, testPostgres } from "../setup/postgres.js";

export interface OpenEngine {
  /** Empty at each call. */
  freshStore(): Promise<Store>;
  /** Absent for the memory store. */
  readonly db?: Db;
  close(): Promise<void>;
}

export interface Engine {
  readonly name: "memory" | "embedded" | "postgres";
  readonly missing: boolean;
  open(): Promise<OpenEngine>;
}

const server = await testPostgres();

export const engines: readonly Engine[] = [
  { name: "memory", missing: false, open: openMemory },
  { name: "embedded", missing: false, open: openEmbeddedEngine },
  { name: "postgres", missing: server === undefined, open: openPostgresEngine },
];

/** Those with a database behind them. */
export const databases = engines.filter(({ name }) => name !== "memory");

function openMemory(): Promise<OpenEngine> {
  return Promise.resolve({
    freshStore: () => Promise.resolve(openMemoryStore()),
    close: () => Promise.resolve(),
  });
}

async function openEmbeddedEngine(): Promise<OpenEngine> {
  const { dir, remove } = await freshEmbeddedStore();
  const db = await openEmbedded(dir);
  await migrate(db);
  return {
    db,
    freshStore: () => emptied(db),
    async close() {
      await db.close();
      remove();
    },
  };
}

async function openPostgresEngine(): Promise<OpenEngine> {
  if (server === undefined) throw new Error("no PostgreSQL");
  const database = await createDatabase(server);
  const db = await openPostgres(database.url);
  await migrate(db);
  return {
    db,
    freshStore: () => emptied(db),
    async close() {
      await db.close();
      await database.drop();
      await server.stop();
    },
  };
}

async function emptied(db: Db): Promise<Store> {
  // In a small store DELETE is ten times faster than TRUNCATE, which makes new files.
  const tables =
    "sweep_stage source_lease host_slot host_rate endpoint_state quarantine run record cursor source";
  await db.script(
    tables
      .split(" ")
      .map((table) => `DELETE FROM ${table}`)
      .join("; "),
  );
  return openStore(db);
}
