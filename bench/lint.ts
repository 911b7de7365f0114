/**
 * harvestctl lint against kubeconform, whole processes on the same ten thousand manifests, one after the other.
 *
 *     npm run build
 *     GOBIN="${XDG_CACHE_HOME:-$HOME/.cache}/harvest-bench/bin" go install github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0
 *     npx tsx bench/lint.ts --manifests 10000 --rounds 5
 *
 * GNU time (Debian package `time`) counts processor time and memory.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dirname, "..");
const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "harvest-bench");

const { values } = parseArgs({
  options: {
    manifests: { type: "string", default: "10000" },
    rounds: { type: "string", default: "5" },
    kubeconform: { type: "string", default: join(cache, "bin", "kubeconform") },
  },
});

interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

interface Measured {
  /** Wall clock. */
  readonly seconds: number;
  /** User and system time of all threads: what it costs on a machine that is shared. */
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

const zones = ["Etc/UTC", "America/Chicago", "Europe/Vienna", "Asia/Tokyo", "Pacific/Auckland"];

/** As people write them: every field that most set, a comment here and there, a host and a minute of its own. */
function manifest(i: number): string {
  return `# Agency ${String(i)} of the county register.
apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata:
  name: agency-${String(i)}
  labels:
    jurisdiction: county
spec:
  baseUrl: https://metadata.agency-${String(i)}.example.gov/oai
  metadataPrefix: iso19139           # request ISO 19139
  schedule: "${String(i % 60)} ${String(i % 24)} * * *"
  timeZone: ${zones[i % zones.length] ?? "Etc/UTC"}
  delta:
    mode: from-cursor
    overlapSeconds: ${String(300 + (i % 7))}              # absorb clock skew
  concurrency:
    maxRequests: ${String(1 + (i % 4))}
    respectRetryAfter: true
  backoff:
    initialMs: 1000
    maxMs: 60000
    jitter: full
  token:
    cacheTtlSeconds: 900
  validation:
    xsd: schemas/iso19139.xsd
    schematron: rules/geo-business-rules.sch
    onFailure: quarantine
  transport:
    mtls: true
    minTlsVersion: "1.3"
`;
}

function writeManifests(folder: string, count: number): void {
  for (let i = 0; i < count; i += 1) {
    const county = join(folder, `county-${String(i % 100)}`);
    if (i < 100) mkdirSync(county);
    writeFileSync(join(county, `agency-${String(i)}.yaml`), manifest(i));
  }
}

/** Time and peak memory as the kernel counts them. */
function measure({ name, command, args }: Program): Measured {
  const begin = performance.now();
  const { status, stderr } = spawnSync("/usr/bin/env", ["time", "-f", "%U %S %M", command, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  const seconds = (performance.now() - begin) / 1000;
  if (status !== 0) throw new Error(`${name} ended with ${String(status)}: ${stderr.slice(0, 500)}`);
  const [user = NaN, system = NaN, kilobytes = NaN] = (stderr.trim().split("\n").at(-1) ?? "")
    .split(" ")
    .map(Number);
  return { seconds, cpuSeconds: user + system, megabytes: kilobytes / 1024 };
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function main(): void {
  if (!existsSync(values.kubeconform))
    throw new Error(`There is no ${values.kubeconform}: bench/lint.ts says how to get it.`);
  const folder = mkdtempSync(join(tmpdir(), "bench-lint-"));
  try {
    writeManifests(folder, Number(values.manifests));
    compare([
      {
        name: "harvestctl lint",
        command: process.execPath,
        args: [join(root, "dist/cli/bin/run.js"), "lint", folder, "--root", root],
      },
      {
        name: "kubeconform -strict",
        command: values.kubeconform,
        args: [
          "-strict",
          "-summary",
          "-schema-location",
          join(root, "schemas/harvest-source.schema.json"),
          folder,
        ],
      },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compare(programs: readonly Program[]): void {
  const rounds = Array.from({ length: Number(values.rounds) }, () => programs.map(measure));
  print(
    `${values.manifests} manifests, ${values.rounds} rounds one after the other, ${String(availableParallelism())} processors, Node ${process.version}`,
  );
  print("                      wall     processor   memory");
  const medians = programs.map(({ name }, i) => {
    const of = (what: keyof Measured): number => median(rounds.map((round) => round[i]?.[what] ?? NaN));
    const [wall, cpu, memory] = [of("seconds"), of("cpuSeconds"), of("megabytes")];
    print(`${name.padEnd(20)}  ${wall.toFixed(2)} s   ${cpu.toFixed(2)} s      ${memory.toFixed(0)} MB`);
    return { wall, cpu };
  });
  const [ours, theirs] = medians;
  if (ours === undefined || theirs === undefined) return;
  const ratios = [ours.wall / theirs.wall, ours.cpu / theirs.cpu].map((ratio) => ratio.toFixed(2));
  print(`ratio: wall ${ratios[0] ?? ""}, processor ${ratios[1] ?? ""} (below 1: harvestctl is faster)`);
}

main();
