/** A reflector on a real API server, with a proxy of faults between them, and a second, undisturbed way for the test itself. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../controller/clock.js";
import { createApi } from "../../controller/cluster/client.js";
import { loadConnection } from "../../controller/cluster/connection.js";
import type { ReflectorLimits } from "../../controller/cluster/reflector-options.js";
import type { ReflectorNote } from "../../controller/cluster/reflector-state.js";
import { createReflector, type Reflector } from "../../controller/cluster/reflector.js";
import type { KubeObject } from "../../controller/object.js";
import { resources } from "../../controller/resources.js";
import { clusterHttp, kubeconfigText, type ClusterHttp } from "../setup/cluster-http.js";
import type { ControlPlane } from "../setup/control-plane.js";
import { startFaultProxy, type FaultProxy } from "../setup/fault-proxy.js";

export interface ReflectorScene {
  readonly proxy: FaultProxy;
  readonly reflector: Reflector;
  readonly notes: readonly ReflectorNote[];
  /** name@resourceVersion of what the reflector has told, as somebody who only listens knows it. */
  told(): readonly string[];
  cached(): readonly string[];
  /** The same, read directly. */
  live(): Promise<readonly string[]>;
  /** Attempts that reached the network or tried to, by verb. */
  requests(verb: "list" | "watch"): number;
  put(name: string, schedule: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** The server no longer knows what came after this version. */
  isCompacted(resourceVersion: string): Promise<boolean>;
  /** Closes the product's connections. */
  disconnect(): Promise<void>;
  close(): Promise<void>;
}

const namespace = "default";
const path = `/apis/ingest.geoportal.io/v1/namespaces/${namespace}/harvestsources`;

export async function reflectorScene(
  plane: ControlPlane,
  limits: Partial<ReflectorLimits> = {},
): Promise<ReflectorScene> {
  const proxy = await startFaultProxy({ target: plane.server });
  const folder = mkdtempSync(join(tmpdir(), "reflector-"));
  const kubeconfig = join(folder, "kubeconfig");
  const proxied = { ...plane, server: `https://127.0.0.1:${String(proxy.port)}` };
  writeFileSync(kubeconfig, kubeconfigText(proxied), { mode: 0o600 });
  const connection = loadConnection({ kubeconfig, environment: {} });
  const counts = { list: 0, watch: 0 };
  const api = createApi(connection, {
    observeRequest: ({ verb }) => {
      if (verb === "list" || verb === "watch") counts[verb] += 1;
    },
  });
  const mirror = new Map<string, KubeObject>();
  const notes: ReflectorNote[] = [];
  const reflector = createReflector({
    source: api,
    resource: resources.harvestSource,
    namespace,
    clock: systemClock,
    random: Math.random,
    limits,
    freeze: true,
    onChange: (key, change) => {
      if (change.type === "deleted") mirror.delete(key);
      else mirror.set(key, change.object);
    },
    onState: (note) => notes.push(note),
  });
  const direct = clusterHttp(plane);
  reflector.start(new AbortController().signal);
  await reflector.synced;
  return {
    ...{ proxy, reflector, notes },
    told: () => words([...mirror.values()]),
    cached: () => words(reflector.lister.list()),
    live: async () => words(await readLive(direct)),
    requests: (verb) => counts[verb],
    put: (name, schedule) => put(direct, name, schedule),
    remove: async (name) => {
      await must(direct, `DELETE ${name}`);
    },
    isCompacted: async (version) => {
      const { text } = await direct.send(
        "GET",
        `${path}?watch=1&timeoutSeconds=1&resourceVersion=${version}`,
      );
      return text.includes('"code":410');
    },
    disconnect: () => connection.close(),
    close: async () => {
      reflector.stop();
      await connection.close();
      await proxy.stop();
      const { json } = await direct.send("DELETE", path);
      if (json === undefined) throw new Error("The objects of the test could not be deleted.");
      direct.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function put(direct: ClusterHttp, name: string, schedule: string): Promise<void> {
  await must(direct, `PATCH ${name}?fieldManager=test&force=true`, {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: { name, namespace },
    spec: { baseUrl: `https://${name}.example.gov/oai`, metadataPrefix: "oai_dc", schedule },
  });
}

/** `wish`: the method and what comes after the path of the collection. */
async function must(direct: ClusterHttp, wish: string, body?: unknown): Promise<void> {
  const [method = "", rest = ""] = wish.split(" ");
  const { status, text } = await direct.send(method, `${path}/${rest}`, {
    type: "application/apply-patch+yaml",
    ...(body === undefined ? {} : { body }),
  });
  if (status >= 300) throw new Error(`${wish} was answered ${String(status)}: ${text}`);
}

async function readLive(direct: ClusterHttp): Promise<readonly KubeObject[]> {
  const { json, text } = await direct.send("GET", path);
  if (!Array.isArray(json?.["items"])) throw new Error(`The list was answered: ${text}`);
  return json["items"] as readonly KubeObject[];
}

function words(objects: readonly KubeObject[]): readonly string[] {
  return objects.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion ?? "?"}`).sort();
}
