/**
 * Records per second and memory of the harvester's pod and of peer.py, harvesting the same sandbox into PostgreSQL,
 * alternating, each round into a database of its own. Run after `npm run build`: see README.md.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startSandbox } from "../cli/sandbox/sandbox.js";
import { createDatabase, startPostgres } from "../tests/setup/postgres.js";

const root = join(import.meta.dirname, "..");
const xsd = "schemas/iso19139.xsd";
const sch = "rules/geo-business-rules.sch";

interface Measured {
  readonly who: "harvester" | "peer";
  readonly seconds: number;
  readonly recordsPerSecond: number;
  readonly peakRssMiB: number;
}

interface Job {
  readonly who: Measured["who"];
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Whole processes are timed, start-up and compilation included: that is what a scheduled harvest costs. */
async function measure(job: Job, records: number): Promise<Measured> {
  const [program = "", ...args] = job.command;
  const started = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...job.environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const closed = once(child, "close") as Promise<[number]>;
  const peak = watchMemory(child.pid ?? 0, closed);
  const [code] = await closed;
  if (code !== 0) throw new Error(`${job.who} ended with exit code ${String(code)}.`);
  const seconds = (performance.now() - started) / 1000;
  return {
    who: job.who,
    seconds: round(seconds),
    recordsPerSecond: round(records / seconds),
    peakRssMiB: round(await peak),
  };
}

/** The high-water mark as the kernel keeps it, read until the process is gone; 0 where there is no /proc. */
async function watchMemory(pid: number, closed: Promise<unknown>): Promise<number> {
  let peak = 0;
  const running = { yes: true };
  void closed.finally(() => {
    running.yes = false;
  });
  while (running.yes) {
    const status = await readFile(`/proc/${String(pid)}/status`, "utf8").catch(() => "");
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    await wait(50);
  }
  return peak;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function manifestOf(url: string): string {
  return `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata: {name: bench}
spec:
  baseUrl: ${url}
  metadataPrefix: iso19139
  schedule: "@daily"
  validation: {xsd: ${xsd}, schematron: ${sch}}
  transport: {allowPrivateNetwork: true}
`;
}

function harvesterJob(database: string, folder: string): Job {
  const environment = {
    DATABASE_URL: database,
    HARVEST_MANIFEST: join(folder, "source.yaml"),
    HARVEST_ROOT: root,
    HARVEST_TERMINATION_MESSAGE: join(folder, "message.json"),
    HARVEST_LOG_LEVEL: "error",
  };
  return { who: "harvester", command: [process.execPath, "dist/harvester/main.js"], environment };
}

function peerJob(database: string, url: string): Job {
  const options = ["--base-url", url, "--dsn", database, "--xsd", xsd, "--sch", sch];
  return { who: "peer", command: ["bench/.venv/bin/python", "bench/peer.py", ...options], environment: {} };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      records: { type: "string", default: "10000" },
      rounds: { type: "string", default: "3" },
      only: { type: "string" },
    },
  });
  const records = Number(values.records);
  const server = await startPostgres();
  if (server === undefined) throw new Error("The benchmark needs PostgreSQL.");
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const sandbox = await startSandbox({ source: { kind: "generated", count: records } });
  await writeFile(join(folder, "source.yaml"), manifestOf(sandbox.url));
  const measured: Measured[] = [];
  const turns = turnsOf(Number(values.rounds), values.only);
  try {
    for (const who of turns) {
      const database = await createDatabase(server);
      const job = who === "peer" ? peerJob(database.url, sandbox.url) : harvesterJob(database.url, folder);
      measured.push(await measure(job, records));
      process.stdout.write(`${JSON.stringify(measured.at(-1))}\n`);
      await database.drop();
    }
  } finally {
    await sandbox.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write(`${JSON.stringify({ records, ...medians(measured) })}\n`);
}

/** Alternating, so that a busy minute of the machine falls on both. */
function turnsOf(rounds: number, only: string | undefined): readonly Measured["who"][] {
  const both = (["harvester", "peer"] as const).filter((who) => only === undefined || only === who);
  return Array.from({ length: rounds }, () => both).flat();
}

function medians(measured: readonly Measured[]): Readonly<Record<string, number>> {
  const harvester = middle(measured.filter(({ who }) => who === "harvester"));
  const peer = middle(measured.filter(({ who }) => who === "peer"));
  return { harvester, peer, ratio: peer === 0 ? 0 : round(harvester / peer) };
}

function middle(measured: readonly Measured[]): number {
  const sorted = measured.map(({ recordsPerSecond }) => recordsPerSecond).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

await main();
