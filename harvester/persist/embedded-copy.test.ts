import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshEmbeddedStore } from "../../tests/setup/embedded.js";
import { batch, change, key, runEnd, runStart } from "../../tests/store/samples.js";
import { openDatabaseToRead } from "../open-database.js";
import { openEmbedded } from "./embedded.js";
import { openEmbeddedCopy } from "./embedded-copy.js";
import { migrate } from "./migrate.js";
import { openStore } from "./open-store.js";
import { listSources } from "./reading.js";
import { viewSource } from "./store-view.js";

let made: Awaited<ReturnType<typeof freshEmbeddedStore>>;

beforeAll(async () => {
  made = await freshEmbeddedStore();
  const db = await openEmbedded(made.dir);
  await migrate(db);
  const store = openStore(db);
  const run = await store.begin(runStart());
  await run.commit(
    batch({ changes: [change("oai:1", "Roads")], cursor: { watermark: "2026-11-01T00:00:00Z" } }),
  );
  await run.finish(runEnd());
  await store.close();
});
afterAll(() => {
  made.remove();
});

/** Path, size, times and content of every file. */
function snapshot(): readonly string[] {
  return readdirSync(made.dir, { recursive: true, encoding: "utf8" })
    .sort()
    .map((path) => {
      const { size, mtimeMs, ino } = statSync(join(made.dir, path));
      const isFile = statSync(join(made.dir, path)).isFile();
      const sha = isFile
        ? createHash("sha256")
            .update(readFileSync(join(made.dir, path)))
            .digest("hex")
        : "folder";
      return [path, size, mtimeMs, ino, sha].join(" ");
    });
}

it("is read without a byte of it being changed", async () => {
  const before = snapshot();
  const db = (await openDatabaseToRead({ directory: made.dir }))!;
  expect(await listSources(db)).toMatchObject([{ name: "county", alive: 1 }]);
  const view = (await viewSource(db, "county"))!;
  expect(await view.loadCursor(key)).toEqual({ watermark: "2026-11-01T00:00:00Z" });
  expect([...(await view.loadStates(["oai:1", "oai:2"])).keys()]).toEqual(["oai:1"]);
  expect(await viewSource(db, "nobody")).toBeUndefined();
  await db.query("DELETE FROM cursor WHERE false");
  await db.close();
  expect(snapshot()).toEqual(before);
});

it("a store that is open elsewhere is not copied, and says who has it", async () => {
  const open = await openEmbedded(made.dir);
  await expect(openEmbeddedCopy(made.dir)).rejects.toMatchObject({ kind: "busy", code: "StoreLocked" });
  await open.close();
});

it("there is nothing to read where there is no store", async () => {
  expect(await openDatabaseToRead({ directory: join(made.dir, "none") })).toBeUndefined();
});
