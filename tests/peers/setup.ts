import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = import.meta.dirname;
const environment = join(here, ".venv");
/** Longer than an installation may take. */
const LOCK_TIMEOUT_MS = 240_000;
const python = join(environment, "bin/python");

export type PeerEnvironment =
  | { readonly kind: "ready"; readonly python: string }
  | { readonly kind: "missing"; readonly sentence: string };

/**
 * The virtual environment with the pinned peer, made when it is not there or was made from other pins.
 * Where Python or the package index is missing the tests skip with the sentence; with `peers` in REQUIRE it throws.
 */
export async function peerEnvironment(): Promise<PeerEnvironment> {
  try {
    await oneAtATime(makeEnvironment);
    return { kind: "ready", python };
  } catch (thrown) {
    const why = thrown instanceof Error ? (thrown.message.trim().split("\n").at(-1) ?? "") : String(thrown);
    const sentence = `The peer oai-repo cannot be installed (python3 with venv and PyPI are needed): ${why}`;
    if ((process.env["REQUIRE"] ?? "").split(",").includes("peers"))
      throw new Error(sentence, { cause: thrown });
    return { kind: "missing", sentence };
  }
}

/** Test files run in processes of their own, and two of them want the environment at the same moment. */
async function oneAtATime(work: () => Promise<void>): Promise<void> {
  const lock = `${environment}.lock`;
  while (!(await taken(lock))) {
    const held = await stat(lock).catch(() => undefined);
    const leftBehind = held !== undefined && Date.now() - held.mtimeMs > LOCK_TIMEOUT_MS;
    if (leftBehind) await rm(lock, { recursive: true, force: true });
    await wait(200);
  }
  try {
    await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function taken(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw thrown;
  }
}

async function makeEnvironment(): Promise<void> {
  const requirements = await readFile(join(here, "requirements.txt"));
  const pins = createHash("sha256").update(requirements).digest("hex");
  const marker = join(environment, "pins.sha256");
  if (existsSync(marker) && (await readFile(marker, "utf8")) === pins) return;
  await rm(environment, { recursive: true, force: true });
  await run("python3", ["-m", "venv", environment]);
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
  await run(python, [...install, join(here, "requirements.txt")], { timeout: 180_000 });
  await writeFile(marker, pins);
}

/** The real ISO 19139 records of the npm package ogc-schemas, copied into `folder`; returns their names without `.xml`. */
export async function copyRealRecords(folder: string): Promise<readonly string[]> {
  const packageFolder = dirname(createRequire(import.meta.url).resolve("ogc-schemas/package.json"));
  const source = join(packageFolder, "tests/ISO19139_2/GMI/1.0");
  const files = (await readdir(source)).filter((name) => name.endsWith(".xml")).sort();
  await mkdir(folder, { recursive: true });
  for (const file of files) await cp(join(source, file), join(folder, file));
  return files.map((file) => basename(file, ".xml"));
}

export interface PeerOptions {
  /** Read anew for each request: changing a file changes the repository. */
  readonly folder: string;
  readonly pageSize?: number;
  /** 0 or absent: any free port. */
  readonly port?: number;
}

export interface PeerRepository {
  /** The OAI-PMH base URL, on loopback. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the peer over a folder of records (see repository.py). Call peerEnvironment first. */
export async function startPeerRepository(options: PeerOptions): Promise<PeerRepository> {
  const { folder, pageSize = 5, port = 0 } = options;
  const command = [
    join(here, "repository.py"),
    "--folder",
    folder,
    "--page-size",
    String(pageSize),
    "--port",
    String(port),
  ];
  const child = spawn(python, command, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      resolve();
    });
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { readonly url: string };
    return {
      url,
      async stop() {
        child.stdin.end();
        await ended;
      },
    };
  }
  throw new Error("The peer repository ended before it listened: see its error output above.");
}
