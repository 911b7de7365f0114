/** A dry run writes nothing: a database and a disk are watched while the program runs, and the role could not write. */
import { createHash, randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabaseToRead } from "../../harvester/open-database.js";
import { administer } from "../setup/postgres.js";
import { noPostgres, premises } from "../run/premises.js";
import { harvestctl, workplace, type Workplace } from "../run/program.js";
import { startSandbox, type Sandbox } from "../../cli/sandbox/sandbox.js";

const temporary = mkdtempSync(join(tmpdir(), "dry-run-tmp-"));
const home = mkdtempSync(join(tmpdir(), "dry-run-home-"));
afterAll(() => {
  for (const folder of [temporary, home]) rmSync(folder, { recursive: true, force: true });
});
/** What a program might write to without being told. */
const places = { TMPDIR: temporary, TEMP: temporary, TMP: temporary, HOME: home, XDG_CACHE_HOME: home };

/** Path, kind, size, times, inode and content of everything below. */
function disk(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => [
    `${folder} ${String(statSync(folder).mtimeMs)}`,
    ...readdirSync(folder, { recursive: true, encoding: "utf8" })
      .sort()
      .map((path) => {
        const full = join(folder, path);
        const { size, mtimeMs, ctimeMs, ino } = lstatSync(full);
        const content = statSync(full).isFile()
          ? createHash("sha256").update(readFileSync(full)).digest("hex")
          : "folder";
        return [full, size, mtimeMs, ctimeMs, ino, content].join(" ");
      }),
  ]);
}

const ways = [
  { name: "against a sandbox", args: [] },
  { name: "live", args: ["--live"] },
  { name: "live, from the beginning, several at once", args: ["--live", "--full", "--jobs", "8"] },
  { name: "with JSON", args: ["--live", "--json"] },
] as const;

const always = ["dry-run", "--source", "manifests/", "--limit", "20", "--no-index", "--threads", "1"];

describe.skipIf(noPostgres)("a database of its own", () => {
  const here = premises({
    source: { kind: "generated", count: 30, faulty: 3, faultNames: ["missing-title"] },
  });
  const user = `looker_${randomUUID().slice(0, 8)}`;
  let url: string;

  beforeAll(async () => {
    if (noPostgres) return;
    const manifests = join(here.place.cwd, "manifests");
    mkdirSync(manifests);
    for (const name of ["one", "two"]) here.place.manifest(here.sandbox.url, {}, `manifests/${name}`);
    for (const name of ["one", "two"])
      here.place.write(
        `manifests/${name}.yaml`,
        readFileSync(join(manifests, `${name}.yaml`), "utf8").replace(`manifests/${name}`, name),
      );
    expect((await here.run(["run", "--source", "manifests/", "--threads", "1"])).code).toBe(0);
    await here.query(`CREATE ROLE ${user} LOGIN PASSWORD 'x'`);
    await here.query(`GRANT USAGE ON SCHEMA public TO ${user}`);
    await here.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${user}`);
    await here.query(`REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
    const looker = new URL(here.database.url);
    looker.username = user;
    looker.password = "x";
    url = looker.href;
    here.sandbox.control.change(1);
    here.sandbox.control.add();
  });
  afterAll(async () => {
    if (noPostgres) return;
    await here.query(`DROP OWNED BY ${user}`);
    await administer(here.server, `DROP ROLE ${user}`);
  });

  /** Rows of every table with the transaction that wrote each, and what the server counted. */
  async function database(): Promise<Readonly<Record<string, unknown>>> {
    const tables = await here.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1",
    );
    const found: Record<string, unknown> = {};
    for (const { name } of tables) {
      const [row] = await here.query(
        `SELECT count(*)::int AS rows, coalesce(max(xmin::text::bigint), 0) AS newest, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS content FROM ${name} t`,
      );
      found[name] = row;
    }
    await here.query("SELECT pg_stat_force_next_flush()").catch(() => undefined);
    const [written] = await here.query(
      `SELECT sum(n_tup_ins)::int AS ins, sum(n_tup_upd)::int AS upd, sum(n_tup_del)::int AS del FROM pg_stat_user_tables`,
    );
    return { ...found, written };
  }

  it.each(ways)("is as it was, and so is the disk: $name", async ({ args }) => {
    const folders = [here.place.cwd, temporary, home];
    // What the server still had to count of the real run is counted before the first look.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const before = { database: await database(), disk: disk(folders) };
    const { code, stdout, stderr } = await here.run([...always, ...args], {
      ...places,
      OAI_SANDBOX_URL: here.sandbox.url,
      DATABASE_URL: url,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/last run {2}read 30, refused 3|"read": 30/);
    expect(stdout).not.toContain("Not compared");
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect({ database: await database(), disk: disk(folders) }).toEqual(before);
  });

  it("an administrator's session is refused a write by the server, too", async () => {
    const before = await database();
    const db = (await openDatabaseToRead({ url: here.database.url, directory: "none" }))!;
    await expect(db.query("UPDATE source SET name = name")).rejects.toMatchObject({ code: "ReadOnly" });
    await db.close();
    expect(await database()).toEqual(before);
  });

  it("a recording is the one file it writes, where it was told to", async () => {
    const folders = [here.place.cwd, temporary, home];
    const before = new Set(disk(folders).map((line) => line.split(" ")[0]));
    const { code } = await here.run([...always, "--live", "--record", "run.tape"], {
      ...places,
      DATABASE_URL: url,
    });
    expect(code).toBe(0);
    const after = disk(folders).map((line) => line.split(" ")[0]);
    expect(after.filter((path) => !before.has(path))).toEqual([join(here.place.cwd, "run.tape")]);
    const replay = await here.run([...always.slice(0, 3), "--replay", "run.tape"], { DATABASE_URL: "" });
    expect(replay).toMatchObject({ code: 0 });
    expect(replay.stdout).toContain("2 sources would run: 4 records read");
  });
});

describe("an embedded store", () => {
  let place: Workplace;
  let sandbox: Sandbox;
  beforeAll(async () => {
    place = workplace();
    sandbox = await startSandbox({ source: { kind: "generated", count: 30 }, pageSize: 10 });
    place.manifest(sandbox.url, {}, "one");
    expect((await harvestctl(["run", "--source", "one.yaml", "--threads", "1"], place)).code).toBe(0);
  });
  afterAll(async () => {
    await sandbox.close();
    place.remove();
  });

  it("is looked at without a byte of it changing", async () => {
    const folders = [place.cwd, temporary, home];
    const before = disk(folders);
    const args = ["dry-run", "--source", "one.yaml", "--live", "--full", "--threads", "1"];
    const { code, stdout, stderr } = await harvestctl(args, { ...place, env: places });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("last run  read 30, refused 0");
    expect(stdout).toMatch(/one +30 +30 +0 +0 +0 +0 +30 /);
    expect(disk(folders)).toEqual(before);
  });
});
