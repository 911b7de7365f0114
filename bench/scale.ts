/**
 * How the controller scales: many HarvestSources on a real API server, from a cold start to all reconciled, then at rest,
 * then under changes. Run after `npm run build`: npx tsx bench/scale.ts --sources 2000 --rest 300. See README.md.
 */
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createApi, type ClusterApi } from "../controller/cluster/client.js";
import { loadConnection } from "../controller/cluster/connection.js";
import { cronJobName } from "../controller/names.js";
import type { KubeObject, LiveSource } from "../controller/object.js";
import { resources } from "../controller/resources.js";
import { startController, type TestController } from "../tests/setup/controller.js";
import { startControlPlane } from "../tests/setup/control-plane.js";
import { testBundle } from "../tests/setup/policy-bundle.js";

const namespace = "scale";
const PER_HOST = 4;

interface Traffic {
  readonly writes: number;
  readonly requests: number;
}

function manifest(n: number): KubeObject {
  const host = `catalogue-${String(Math.floor(n / PER_HOST))}.example.gov`;
  return {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: { name: `source-${String(n)}`, namespace },
    spec: {
      baseUrl: `https://${host}/oai/${String(n % PER_HOST)}`,
      metadataPrefix: "iso19139",
      schedule: `${String(n % 60)} ${String(n % 24)} * * *`,
      validation: { xsd: "schemas/iso19139.xsd", schematron: "rules/geo-business-rules.sch" },
    },
  };
}

/** From the controller's own count of its requests; GET covers lists and watches. */
async function traffic(controller: TestController): Promise<Traffic> {
  const counts = [
    ...(await controller.metrics()).matchAll(
      /^rest_client_requests_total\{[^}]*method="([A-Z]+)"[^}]*\} (\d+)/gm,
    ),
  ];
  const sum = (of: (method: string) => boolean): number =>
    counts.filter(([, method = ""]) => of(method)).reduce((total, [, , count]) => total + Number(count), 0);
  return { writes: sum((method) => method !== "GET"), requests: sum(() => true) };
}

function rssMiB(pid: number, field: "VmRSS" | "VmHWM"): number {
  const line = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${String(pid)}/status`, "utf8"));
  return Math.round(Number(line?.[1] ?? 0) / 1024);
}

async function readyCount(api: ClusterApi): Promise<number> {
  const { items } = await api.list(resources.harvestSource, { namespace });
  return (items as readonly LiveSource[]).filter(({ status, metadata }) => {
    const ready = status?.conditions?.find(({ type }) => type === "Ready");
    return ready?.status === "True" && status?.observedGeneration === metadata.generation;
  }).length;
}

async function untilAllReady(api: ClusterApi, sources: number, since: number): Promise<number> {
  for (;;) {
    const ready = await readyCount(api);
    if (ready >= sources) return (performance.now() - since) / 1000;
    if (process.stderr.isTTY || process.env["DEBUG"])
      process.stderr.write(`\r${String(ready)} of ${String(sources)}`);
    await wait(500);
  }
}

async function createAll(api: ClusterApi, sources: number): Promise<void> {
  const numbers = Array.from({ length: sources }, (_, n) => n);
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let n = numbers.pop(); n !== undefined; n = numbers.pop())
        await api.create(resources.harvestSource, manifest(n), "bench");
    }),
  );
}

/** From the answer to the change until the CronJob has it. */
async function changeLatency(api: ClusterApi, n: number, minute: number): Promise<number> {
  const name = `source-${String(n)}`;
  const schedule = `${String(minute)} 5 * * *`;
  await api.patch(resources.harvestSource, `${namespace}/${name}`, {
    body: { spec: { schedule } },
    type: "application/merge-patch+json",
    manager: "bench",
  });
  const since = performance.now();
  for (;;) {
    const cronJob = await api.get(resources.cronJob, `${namespace}/${cronJobName(name)}`);
    if ((cronJob?.["spec"] as { schedule?: string } | undefined)?.schedule === schedule)
      return performance.now() - since;
    await wait(10);
  }
}

function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1)] ?? 0);
}

const { values } = parseArgs({
  options: {
    sources: { type: "string", default: "2000" },
    rest: { type: "string", default: "300" },
    changes: { type: "string", default: "200" },
  },
});
const [sources, rest, changes] = [Number(values.sources), Number(values.rest), Number(values.changes)];
const plane = await startControlPlane({ parts: "api" });
if (plane === undefined) throw new Error("There is no control plane on this machine.");
const connection = loadConnection({ kubeconfig: plane.kubeconfig, environment: {} });
const api = createApi(connection, { rateLimit: { perSecond: 1000, burst: 1000 } });
const bundle = testBundle(namespace);
await plane.kubectl(["create", "namespace", namespace]);
await plane.kubectl(["apply", "--server-side", "-f", "crds/ingest.geoportal.io_harvestsources.yaml"]);
await plane.kubectl(["wait", "--for=condition=Established", "crd/harvestsources.ingest.geoportal.io"]);
await plane.kubectl(["apply", "--server-side", "-f", "-"], { input: bundle.text });
await createAll(api, sources);
process.stderr.write(`${String(sources)} sources are there; the controller starts.\n`);

const since = performance.now();
const controller = startController({
  kubeconfig: plane.kubeconfig,
  namespace,
  bundleName: bundle.name,
  config: {
    logLevel: "info",
    api: { requestsPerSecond: 500, burst: 500 },
    workers: 8,
    leaderElection: { leaseSeconds: 15, renewSeconds: 10, retrySeconds: 2 },
  },
});
let finished = false;
// Its end before ours is a failure to be seen, not to be waited for.
void controller.ended.then(async (code) => {
  if (finished) return;
  const last = controller
    .lines()
    .slice(-5)
    .map((line) => JSON.stringify(line));
  process.stderr.write(`The controller ended (${String(code)}).\n${last.join("\n")}\n`);
  await plane.stop();
  process.exit(1);
});
const cold = await untilAllReady(api, sources, since);
await wait(5_000);
const afterStart = await traffic(controller);
process.stderr.write(`All reconciled after ${cold.toFixed(1)} s; at rest for ${String(rest)} s.\n`);
await wait(rest * 1000);
const afterRest = await traffic(controller);
const atRest = rssMiB(controller.pid, "VmRSS");
const latencies: number[] = [];
for (let i = 0; i < changes; i++) latencies.push(await changeLatency(api, (i * 7) % sources, i % 60));
const peak = rssMiB(controller.pid, "VmHWM");
finished = true;
await controller.stop();
await connection.close();
await plane.stop();

const rows: readonly (readonly [string, string, string])[] = [
  ["sources", String(sources), ""],
  ["cold start to all reconciled", `${cold.toFixed(1)} s`, ""],
  ["API writes a source", (afterStart.writes / sources).toFixed(2), "children + 1 = 4"],
  [
    `writes at rest (${String(rest)} s; the lease has its own connection)`,
    String(afterRest.writes - afterStart.writes),
    "0",
  ],
  ["requests a second at rest", ((afterRest.requests - afterStart.requests) / rest).toFixed(2), "< 5"],
  ["RSS at rest", `${String(atRest)} MiB`, "< 300 MB"],
  ["RSS, highest", `${String(peak)} MiB`, ""],
  ["change to CronJob, median", `${String(percentile(latencies, 50))} ms`, ""],
  ["change to CronJob, p99", `${String(percentile(latencies, 99))} ms`, "< 1 s"],
];
process.stdout.write(
  `${["what", "measured", "goal"].join(" | ")}\n${rows.map((row) => row.join(" | ")).join("\n")}\n`,
);
process.exit(0);
