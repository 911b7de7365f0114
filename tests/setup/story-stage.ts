/** The stage of the end-to-end story: cluster, kubelet, controller, agency, catalogue, and how to look at them. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parse } from "yaml";
import type { Condition, LiveSource } from "../../controller/object.js";
import type { MadeCertificate } from "./certificates.js";
import type { TestCluster } from "./cluster.js";
import { controllerAccount } from "./story-account.js";
import { startController, type TestController } from "./controller.js";
import { startKubelet, type TestKubelet } from "./kubelet.js";
import { testBundle, type TestBundle } from "./policy-bundle.js";
import type { PostgresServer } from "./postgres.js";
import { openAgency, type Agency } from "./story-agency.js";
import { openCatalogue, type Catalogue } from "./story-catalogue.js";

export const sourceName = "state-gis-clearinghouse";
const prefix = "ingest.geoportal.io";
const seed = join(import.meta.dirname, "../../manifests/sources/state-gis-clearinghouse.yaml");

/** What the seed's agency allows, for the host it has here. */
const fairUse =
  "hosts:\n  localhost:\n    maxRequests: 200\n    agreed: In this test\ndefault:\n  maxRequests: 4\n";

/** Never comes due within a test: runs are asked for. */
const quietSchedule = new Date().getUTCMonth() < 6 ? "0 */6 1 12 *" : "0 */6 1 3 *";

export type Patch = Readonly<Record<string, unknown>>;

export interface Stage {
  readonly cluster: TestCluster;
  /** Another namespace the same controller looks after. */
  readonly other: TestCluster;
  readonly kubelet: TestKubelet;
  readonly otherKubelet: TestKubelet;
  readonly agency: Agency;
  readonly catalogue: Catalogue;
  readonly bundle: TestBundle;
  stopController(): Promise<void>;
  startController(bundleName: string): void;
  remove(): Promise<void>;
}

export async function openStage(
  { cluster, other }: Pick<Stage, "cluster" | "other">,
  server: PostgresServer,
): Promise<Stage> {
  const bundle = bundleWith(cluster.namespace);
  const [catalogue, agency, kubelet, otherKubelet, account] = await Promise.all([
    openCatalogue(server),
    openAgency(30),
    startKubelet({ cluster }),
    startKubelet({ cluster: other }),
    controllerAccount(cluster),
  ]);
  await furnish(cluster, { agency, catalogue, bundle });
  let controller = start(bundle.name);

  function start(bundleName: string): TestController {
    const watchNamespaces = [cluster.namespace, other.namespace];
    const { kubeconfig } = account;
    return startController({ ...cluster, kubeconfig, bundleName, config: { watchNamespaces } });
  }

  return {
    ...{ cluster, other, kubelet, otherKubelet, agency, catalogue, bundle },
    stopController: async () => {
      await controller.stop();
    },
    startController: (bundleName) => {
      controller = start(bundleName);
    },
    async remove() {
      await controller.stop();
      await Promise.all([kubelet.stop(), otherKubelet.stop(), agency.remove()]);
      await catalogue.remove();
      await account.remove();
      await other.remove();
      await cluster.remove();
    },
  };
}

/** The shipped policy with the ceilings of this test and these changes. */
export function bundleWith(
  namespace: string,
  changes: Readonly<Record<string, string | undefined>> = {},
): TestBundle {
  return testBundle(namespace, { "rules/fair-use.yaml": fairUse, ...changes });
}

/** What an operator puts into a namespace before its sources. */
export async function furnish(
  cluster: TestCluster,
  { agency, catalogue, bundle }: Pick<Stage, "agency" | "catalogue" | "bundle">,
): Promise<void> {
  await apply(cluster, JSON.parse(bundle.text) as object);
  await apply(cluster, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "harvest-pod" } });
  await apply(cluster, secret("harvest-database", { DATABASE_URL: catalogue.writerUrl }));
  await apply(cluster, secret("agency-ca", { "ca.crt": agency.authority }));
  await apply(cluster, certificateSecret(agency.client));
}

export function secret(name: string, stringData: Readonly<Record<string, string>>): object {
  return { apiVersion: "v1", kind: "Secret", metadata: { name }, stringData };
}

/** Where the seed's manifest looks for its client certificate. */
export function certificateSecret({ cert, key }: MadeCertificate): object {
  return secret(`${sourceName}-client-cert`, { "tls.crt": cert, "tls.key": key });
}

/** The seed's manifest as a person would change it for this agency. */
export function manifest(agency: Agency, spec: Patch = {}): object {
  const read = parse(readFileSync(seed, "utf8")) as { metadata: object; spec: { transport: object } };
  return {
    ...read,
    spec: {
      ...read.spec,
      baseUrl: agency.url,
      schedule: quietSchedule,
      // Patience is for agencies; a test has none.
      backoff: { initialMs: 20, maxMs: 200, jitter: "full", maxAttempts: 2 },
      transport: { ...read.spec.transport, caSecretName: "agency-ca", allowPrivateNetwork: true },
      ...spec,
    },
  };
}

export async function apply({ kubectl }: Pick<TestCluster, "kubectl">, object: object): Promise<string> {
  return must(kubectl, ["apply", "-f", "-"], JSON.stringify(object));
}

/** Standard output of a kubectl that succeeds. */
export async function must(
  kubectl: TestCluster["kubectl"],
  args: readonly string[],
  input?: string,
): Promise<string> {
  const { code, stdout, stderr } = await kubectl(args, input === undefined ? {} : { input });
  if (code !== 0) throw new Error(`kubectl ${args.join(" ")} ended with ${String(code)}: ${stderr}`);
  return stdout;
}

export type Status = NonNullable<LiveSource["status"]>;

export async function sourceOf(
  { http, namespace }: TestCluster,
  name = sourceName,
): Promise<LiveSource | undefined> {
  const { status, json } = await http(
    "GET",
    `/apis/${prefix}/v1/namespaces/${namespace}/harvestsources/${name}`,
  );
  return status === 200 ? (json as unknown as LiveSource) : undefined;
}

/** The status, once `holds` is true of it; throws with what it is after `seconds`. */
export async function untilStatus(
  cluster: TestCluster,
  holds: (status: Status) => boolean,
  { name = sourceName, seconds = 150 }: { readonly name?: string; readonly seconds?: number } = {},
): Promise<Status> {
  let status: Status = {};
  for (let i = 0; i < seconds * 5; i++) {
    status = (await sourceOf(cluster, name))?.status ?? {};
    if (holds(status)) return status;
    await wait(200);
  }
  throw new Error(`The status of ${name} never came to be: ${JSON.stringify(status, undefined, 1)}`);
}

/** Waits for something else than a status. */
export async function until<T>(what: string, look: () => Promise<T | undefined>, seconds = 150): Promise<T> {
  for (let i = 0; i < seconds * 5; i++) {
    const found = await look();
    if (found !== undefined) return found;
    await wait(200);
  }
  throw new Error(`${what}: not after ${String(seconds)} s`);
}

let asked = 0;

/** Asks for a run with kubectl, as docs/status.md tells people to. */
export async function ask({ kubectl }: TestCluster, name = sourceName): Promise<string> {
  const value = `${new Date().toISOString()}-${String(++asked)}`;
  await must(kubectl, ["annotate", "hsrc", name, "--overwrite", `${prefix}/requestedAt=${value}`]);
  return value;
}

/** The status after the run asked for with this value. */
export async function untilRun(cluster: TestCluster, value: string, name = sourceName): Promise<Status> {
  const hash = createHash("sha256").update(value).digest("hex").slice(0, 10);
  return untilStatus(cluster, ({ lastRun }) => lastRun?.jobName === `harvest-${name}-${hash}`, { name });
}

export async function run(cluster: TestCluster, name = sourceName): Promise<Status> {
  return untilRun(cluster, await ask(cluster, name), name);
}

export function condition({ conditions = [] }: Status, type: string): Condition | undefined {
  return conditions.find((each) => each.type === type);
}

/** `Ready=True Scheduled`, for comparing at a glance. */
export function told(status: Status, type: string): string | undefined {
  const found = condition(status, type);
  return found === undefined ? undefined : `${found.status} ${found.reason}`;
}

/** One line of `kubectl get hsrc`: title → cell. */
export async function row(
  { kubectl }: TestCluster,
  name = sourceName,
): Promise<Readonly<Record<string, string>>> {
  const [titles = "", line = ""] = (await must(kubectl, ["get", "hsrc", name])).split("\n");
  const starts = [...titles.matchAll(/\S+( \S+)*/g)].map(({ 0: title, index }) => ({ title, index }));
  return Object.fromEntries(
    starts.map(({ title, index }, i) => [title, line.slice(index, starts[i + 1]?.index).trim()]),
  );
}

/** `Warning RunFailed` and so on, of a source, oldest first. */
export async function events({ kubectl }: TestCluster, name = sourceName): Promise<readonly string[]> {
  const text = await must(kubectl, [
    ...["get", "events", "--field-selector", `involvedObject.kind=HarvestSource,involvedObject.name=${name}`],
    ...[
      "--sort-by=.metadata.creationTimestamp",
      "-o",
      'jsonpath={range .items[*]}{.type} {.reason}{"\\n"}{end}',
    ],
  ]);
  return text.split("\n").filter((line) => line !== "");
}

/** What the catalogue holds of a source. */
export async function stored(
  { catalogue, cluster }: Pick<Stage, "catalogue" | "cluster">,
  key = `${cluster.namespace}/${sourceName}`,
): Promise<
  { readonly living: number; readonly withdrawn: number; readonly quarantined: number } | undefined
> {
  const [found] = await catalogue.query<{ living: number; withdrawn: number; quarantined: number }>(
    `SELECT (SELECT count(*)::int FROM record WHERE source_id = s.id AND NOT deleted) AS living,
            (SELECT count(*)::int FROM record WHERE source_id = s.id AND deleted) AS withdrawn,
            (SELECT count(*)::int FROM quarantine q WHERE q.source_id = s.id AND resolved_at IS NULL) AS quarantined
       FROM source s WHERE name = $1`,
    [key],
  );
  return found;
}

export function shippedRules(file: string): string {
  return readFileSync(join(import.meta.dirname, "../../rules", file), "utf8");
}
