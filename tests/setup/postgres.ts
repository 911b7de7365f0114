/**
 * A real PostgreSQL for tests: the server DATABASE_URL names, else one started here from whatever `initdb` and `pg_ctl`
 * are installed. It listens on a Unix socket in a temporary directory only, with fsync on, and is gone at the end.
 */
import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

const run = promisify(execFile);
const howToGet =
  "install PostgreSQL (Debian: apt-get install postgresql; macOS: brew install postgresql) or set DATABASE_URL";

/** How the URL of the shared server reaches the test processes. */
const urlVariable = "HARVEST_TEST_POSTGRES";
const missingVariable = "HARVEST_TEST_POSTGRES_MISSING";

export interface PostgresServer {
  /** Of a database that may be connected to by a superuser, to make others. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** The server of this test run, started if nobody has yet; undefined, with one line said, when this machine has none. */
export async function testPostgres(): Promise<PostgresServer | undefined> {
  const url = process.env[urlVariable];
  if (url !== undefined) return { url, stop: () => Promise.resolve() };
  const missing = process.env[missingVariable];
  return missing === undefined ? startPostgres() : undefined;
}

/** As vitest's globalSetup: one server for all test files. */
export async function sharePostgres(): Promise<() => Promise<void>> {
  const server = await startPostgres();
  process.env[server === undefined ? missingVariable : urlVariable] = server?.url ?? "1";
  return async () => {
    await server?.stop();
  };
}

/** Throws when REQUIRE names `postgres` and there is none. */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const given = process.env["DATABASE_URL"];
  if (given !== undefined && given !== "") return { url: given, stop: () => Promise.resolve() };
  const bin = findBinaries();
  if (bin === undefined) return unavailable("no initdb and pg_ctl found");
  const user = await serverUser();
  if (user === undefined)
    return unavailable("running as root, and there is no user postgres to run the server as");
  return start(bin, user);
}

/** A new, empty database of its own for a test file. */
export async function createDatabase(server: PostgresServer): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  await administer(server, `CREATE DATABASE ${name}`);
  return {
    url: withDatabase(server.url, name),
    drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** One statement as the server's administrator. */
export async function administer(server: PostgresServer, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

function unavailable(why: string): undefined {
  const sentence = `PostgreSQL tests need a server: ${why}; ${howToGet}.`;
  if ((process.env["REQUIRE"] ?? "").split(",").includes("postgres")) throw new Error(sentence);
  process.stderr.write(`Skipped: ${sentence}\n`);
  return undefined;
}

/** The newest installation that has both programs; /usr/bin on Debian holds neither. */
function findBinaries(): string | undefined {
  const roots = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"];
  const versioned = roots.flatMap((root) =>
    existsSync(root) ? readdirSync(root).map((name) => join(root, name, "bin")) : [],
  );
  const candidates = [
    ...versioned.sort((a, b) => b.localeCompare(a, "en", { numeric: true })),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  return candidates.find((dir) => existsSync(join(dir, "initdb")) && existsSync(join(dir, "pg_ctl")));
}

/** PostgreSQL refuses to run as root: then as the user postgres. "" means: as we are. */
async function serverUser(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return "";
  try {
    await run("id", ["postgres"]);
    return "postgres";
  } catch {
    return undefined;
  }
}

async function start(bin: string, user: string): Promise<PostgresServer> {
  // A short path: the socket's name may have 107 bytes.
  const dir = mkdtempSync(join(tmpdir(), "pg-"));
  chmodSync(dir, 0o755);
  if (user !== "") await run("chown", [user, dir]);
  const data = join(dir, "data");
  await asUser(user, [
    join(bin, "initdb"),
    "-D",
    data,
    "-U",
    "postgres",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--no-locale",
  ]);
  const settings = `-k ${dir} -p 5432 -c listen_addresses='' -c max_connections=100 -c fsync=on`;
  await asUser(user, [
    join(bin, "pg_ctl"),
    "-D",
    data,
    "-l",
    join(dir, "log"),
    "-w",
    "-o",
    settings,
    "start",
  ]);
  reapWithUs(join(data, "postmaster.pid"), dir);
  return {
    url: `postgres://postgres@localhost:5432/postgres?host=${encodeURIComponent(dir)}`,
    async stop() {
      await asUser(user, [join(bin, "pg_ctl"), "-D", data, "-m", "immediate", "stop"]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A test run that is killed cannot stop its server: a small watcher does, once this process is gone. */
function reapWithUs(pidFile: string, dir: string): void {
  const watch =
    'while kill -0 "$1" 2>/dev/null; do sleep 2; done; [ -f "$2" ] && kill -QUIT "$(head -n 1 "$2")"; rm -rf "$3"';
  const watcher = spawn("sh", ["-c", watch, "sh", String(process.pid), pidFile, dir], {
    detached: true,
    stdio: "ignore",
  });
  watcher.unref();
}

async function asUser(user: string, command: readonly string[]): Promise<void> {
  const [program, ...args] = user === "" ? command : ["runuser", "-u", user, "--", ...command];
  // In a directory the other user may enter.
  await run(program ?? "", args, { cwd: tmpdir(), env: { ...process.env, LC_ALL: "C" } });
}
