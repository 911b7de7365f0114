/** One namespace, one proxy of misfortune, controllers that come and go, and a direct way to the server for the test itself. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { KubeObject } from "../../controller/object.js";
import { startApiProxy, type ApiProxy } from "./api-proxy.js";
import { clusterPath, type Plural } from "./cluster-paths.js";
import { clusterHttp, kubeconfigText, type Answer, type Http } from "./cluster-http.js";
import type { ControlPlane } from "./control-plane.js";
import { startController, type ControllerWish, type TestController } from "./controller.js";
import { convergence, type Convergence } from "./convergence.js";
import { testBundle, type TestBundle } from "./policy-bundle.js";

const crd = join(import.meta.dirname, "../../crds/ingest.geoportal.io_harvestsources.yaml");

export type Fields = Readonly<Record<string, unknown>>;

export interface ControllerStage extends Convergence {
  readonly plane: ControlPlane;
  readonly namespace: string;
  readonly bundle: TestBundle;
  readonly proxy: ApiProxy;
  /** Path of a kubeconfig that leads to the proxy by another address of this machine. */
  kubeconfig(server: string): string;
  /** Around the proxy. */
  readonly http: Http;
  /** Through the proxy, unless the wish names another kubeconfig. Killed at the end. */
  start(wish?: Partial<ControllerWish>): TestController;
  /** A source as people write it, each on a host of its own. */
  create(name: string, spec?: Fields, metadata?: Fields): Promise<KubeObject>;
  /** The same by server-side apply, as Flux and Argo CD do it. */
  deliver(
    name: string,
    spec: Fields,
    how: { readonly manager: string; readonly metadata?: Fields },
  ): Promise<KubeObject>;
  /** Merge patch of a HarvestSource, or of a child: "cronjobs/harvest-a". */
  edit(target: string, change: object, manager?: string): Promise<KubeObject>;
  remove(target: string): Promise<void>;
  /** As it was, but for what the server gives: another object with its name. */
  restore(object: KubeObject, plural: Plural): Promise<void>;
  read(target: string): Promise<KubeObject | undefined>;
  list(plural: Plural): Promise<readonly KubeObject[]>;
  ask(name: string, value: string): Promise<void>;
  /** As the Job controller ends it; once. */
  endJob(name: string): Promise<void>;
  /** As the garbage collector does it: what is owned by a source that is no more is deleted. Its places. */
  collect(): Promise<readonly string[]>;
  /** What a lease does that nobody renews, without the wait. */
  dropLease(): Promise<void>;
  stop(): Promise<void>;
}

export async function installCrd(plane: ControlPlane): Promise<void> {
  for (const args of [
    ["apply", "--server-side", "--force-conflicts", "-f", crd],
    ["wait", "--for=condition=Established", "--timeout=30s", "-f", crd],
  ]) {
    const { code, stderr } = await plane.kubectl(args);
    if (code !== 0) throw new Error(stderr);
  }
}

export function manifest(name: string, spec: Fields = {}, metadata: Fields = {}): KubeObject {
  return {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: { name, ...metadata },
    spec: {
      baseUrl: `https://${name}.example.gov/oai`,
      metadataPrefix: "oai_dc",
      schedule: "0 */6 * * *",
      ...spec,
    },
  };
}

/** Its CRD must be there already (installCrd). */
export async function openStage(plane: ControlPlane): Promise<ControllerStage> {
  const namespace = `stage-${randomBytes(4).toString("hex")}`;
  const { send, close } = clusterHttp(plane);
  const proxy = await startApiProxy({ target: plane, namespace });
  const bundle = testBundle(namespace);
  const folder = mkdtempSync(join(tmpdir(), "stage-"));
  const controllers: TestController[] = [];

  async function must(method: string, path: string, call?: Parameters<Http>[2]): Promise<KubeObject> {
    const { status, json, text } = await untilServed(() => send(method, path, call));
    if (status > 299) throw new Error(`${method} ${path} was answered ${String(status)}: ${text}`);
    return json as unknown as KubeObject;
  }

  const all = (plural: Plural): string => clusterPath(namespace, plural);

  function place(target: string): string {
    const [plural, name] = target.includes("/") ? target.split("/") : ["harvestsources", target];
    return clusterPath(namespace, plural as Plural, name);
  }

  async function list(plural: Plural): Promise<readonly KubeObject[]> {
    const { items } = (await must("GET", all(plural))) as unknown as { items: KubeObject[] };
    return items;
  }

  const edit: ControllerStage["edit"] = (target, change, manager = "kubectl-edit") =>
    must("PATCH", `${place(target)}?fieldManager=${manager}`, {
      type: "application/merge-patch+json",
      body: change,
    });

  await must("POST", "/api/v1/namespaces", { body: { metadata: { name: namespace } } });
  await must("POST", all("configmaps"), { body: bundle.text });

  const stage = {
    plane,
    namespace,
    bundle,
    proxy,
    kubeconfig: (server: string) => {
      const path = join(folder, `kubeconfig-${String(new URL(server).port)}`);
      writeFileSync(path, kubeconfigText({ ...proxy, server }, namespace), { mode: 0o600 });
      return path;
    },
    http: send,
    start: (wish: Partial<ControllerWish> = {}) => {
      const usual = { kubeconfig: proxy.kubeconfig, namespace, bundleName: bundle.name };
      const controller = startController({ ...usual, ...wish });
      controllers.push(controller);
      return controller;
    },
    create: (name: string, spec?: Fields, metadata?: Fields) =>
      must("POST", `${all("harvestsources")}?fieldManager=kubectl-create`, {
        body: manifest(name, spec, metadata),
      }),
    deliver: (name: string, spec: Fields, how: { readonly manager: string; readonly metadata?: Fields }) =>
      must("PATCH", `${place(name)}?fieldManager=${how.manager}&force=true`, {
        type: "application/apply-patch+yaml",
        body: manifest(name, spec, how.metadata),
      }),
    edit,
    remove: async (target: string) => {
      const { status, text } = await send("DELETE", place(target), {
        body: { propagationPolicy: "Background" },
      });
      if (status > 299 && status !== 404) throw new Error(text);
    },
    restore: async ({ metadata, ...rest }: KubeObject, plural: Plural) => {
      const { name, labels, annotations, ownerReferences } = metadata;
      const body = { ...rest, metadata: { name, labels, annotations, ownerReferences } };
      await must("POST", `${all(plural)}?fieldManager=kubectl-create`, { body });
    },
    read: async (target: string) => {
      const { status, json } = await send("GET", place(target));
      return status === 200 ? (json as unknown as KubeObject) : undefined;
    },
    list,
    ask: async (name: string, value: string) => {
      await edit(name, { metadata: { annotations: { "ingest.geoportal.io/requestedAt": value } } });
    },
    endJob: async (name: string) => {
      const { status } = await must("GET", place(`jobs/${name}`));
      if ((status as { succeeded?: number }).succeeded !== undefined) return;
      await must("PATCH", `${place(`jobs/${name}`)}/status`, {
        type: "application/merge-patch+json",
        body: { status: completed() },
      });
    },
    collect: async () => {
      const uids = (await list("harvestsources")).map(({ metadata }) => metadata.uid);
      const deleted: string[] = [];
      for (const plural of ["cronjobs", "networkpolicies", "configmaps", "jobs"] as const)
        for (const { metadata } of await list(plural)) {
          const owners = metadata.ownerReferences ?? [];
          if (owners.length === 0 || owners.some(({ uid }) => uids.includes(uid))) continue;
          const path = clusterPath(namespace, plural, metadata.name);
          await send("DELETE", path, { body: { preconditions: { uid: metadata.uid } } });
          deleted.push(`${plural}/${metadata.name}`);
        }
      return deleted;
    },
    dropLease: async () => {
      await send("DELETE", place("leases/harvest-controller"));
    },
    stop: async () => {
      for (const controller of controllers) controller.kill("SIGKILL");
      await Promise.all(controllers.map(({ ended }) => ended));
      await proxy.stop();
      close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return { ...stage, ...convergence({ namespace, bundle, send, list }) };
}

/** 429: the storage of a CRD that has just changed is not there yet. */
async function untilServed(ask: () => Promise<Answer>): Promise<Answer> {
  return until("the server serves the kind", async () => {
    const answer = await ask();
    return answer.status !== 429 && answer;
  });
}

function completed(): object {
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  const met = { status: "True", lastProbeTime: time, lastTransitionTime: time };
  return {
    startTime: time,
    completionTime: time,
    succeeded: 1,
    conditions: [
      { type: "SuccessCriteriaMet", reason: "CompletionsReached", ...met },
      { type: "Complete", reason: "CompletionsReached", ...met },
    ],
  };
}

/** Polls; `what` is for the sentence when it does not come. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  seconds = 60,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`Not within ${String(seconds)} s: ${what}`);
    await wait(50);
  }
}

/** Memory of a process that is in use, MB. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes = "0"] =
    /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${String(pid)}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
