/**
 * A small kubelet for tests: a Node to which the real scheduler binds pods, whose single container is run as a process of
 * this machine. The image is ignored (`/app` is the repository, `node` this Node.js); volumes are laid out as files below a
 * folder of the pod, and the paths in its command, arguments and literal variables are moved there. Containers are run once
 * whatever their restartPolicy, an HTTP readiness probe is asked on this machine each tick, and nothing of the security
 * context is enforced.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusterHttp, type Access, type Http } from "./cluster-http.js";
import { removeWithUs } from "./cluster-process.js";
import { nodeLabel } from "./cluster.js";
import { serveLogs, type LogServer } from "./kubelet-logs.js";
import { PodRun, type NextFailure } from "./kubelet-pod.js";
import type { Pod } from "./kubelet-types.js";

export interface KubeletOptions {
  /** Where the pods come from. A TestCluster's kubelet runs the pods of its namespace only, a ControlPlane's all. */
  readonly cluster: Access & { readonly namespace?: string };
  /** What the container's /app is; default: this repository. */
  readonly repositoryRoot?: string;
  /** Set over the variables of every container, e.g. NODE_EXTRA_CA_CERTS. Paths in it are of this machine. */
  readonly env?: Readonly<Record<string, string>>;
  /** Run for a container that names no command; default: the harvester. */
  readonly entrypoint?: readonly string[];
}

export interface KubeletPod {
  readonly namespace: string;
  readonly name: string;
  readonly state: "waiting" | "running" | "ended";
  readonly exitCode: number | undefined;
  /** Process id while it runs. */
  readonly pid: number | undefined;
}

export interface TestKubelet {
  readonly nodeName: string;
  /** Those on this node now. */
  pods(): readonly KubeletPod[];
  /** Standard output and standard error, also of a pod that is gone; undefined for one that never was here. */
  logs(podName: string): string | undefined;
  /** The next container to be started, of a pod whose name begins like this, fails so instead. Several calls queue. */
  failNext(failure: NextFailure, podPrefix?: string): void;
  /** Eviction by the node: phase Failed, reason Evicted, condition DisruptionTarget. */
  evict(podName: string): void;
  /** The pod is gone at once: process killed, no status, no finalizer. */
  vanish(podName: string): Promise<void>;
  /** No pod is started until resume(); those that run go on. */
  pause(): void;
  resume(): void;
  /** Kills what runs and deletes the Node. */
  stop(): Promise<void>;
}

/** What docs/pod.md has as defaults; a process of this machine has to be told where they are. */
const imageEnv = {
  HARVEST_MANIFEST: "/etc/harvest/source.yaml",
  HARVEST_ROOT: "/etc/harvest/policy",
  HARVEST_SECRETS: "/etc/harvest/secrets",
  HARVEST_TERMINATION_MESSAGE: "/dev/termination-log",
};
const TICK_MS = 300;
const LEASE_MS = 10_000;

export async function startKubelet(options: KubeletOptions): Promise<TestKubelet> {
  const { send, close } = clusterHttp(options.cluster);
  const nodeName = `kubelet-${randomBytes(4).toString("hex")}`;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kubelet-")));
  const release = removeWithUs(folder);
  const kubelet = new Kubelet({ send, nodeName, folder, options });
  const logServer = await serveLogs((namespace, pod) => kubelet.logOf(namespace, pod));
  await registerNode(send, { nodeName, namespace: options.cluster.namespace, logServer });
  kubelet.begin();
  return {
    nodeName,
    pods: () => kubelet.pods(),
    logs: (podName) => kubelet.logs(podName),
    failNext: (failure, podPrefix = "") => kubelet.failures.push({ failure, podPrefix }),
    evict: (podName) => {
      kubelet.find(podName).evict();
    },
    vanish: (podName) => kubelet.find(podName).vanish(),
    pause: () => {
      kubelet.paused = true;
    },
    resume: () => {
      kubelet.paused = false;
    },
    stop: async () => {
      await kubelet.end();
      // The API server may be gone already: then its Node is too.
      await send("DELETE", `/api/v1/nodes/${nodeName}`).catch(() => undefined);
      logServer.close();
      close();
      rmSync(folder, { recursive: true, force: true });
      release();
    },
  };
}

interface Premises {
  readonly send: Http;
  readonly nodeName: string;
  readonly folder: string;
  readonly options: KubeletOptions;
}

class Kubelet {
  readonly failures: { readonly failure: NextFailure; readonly podPrefix: string }[] = [];
  paused = false;
  private readonly premises: Premises;
  /** By uid. */
  private readonly runs = new Map<string, PodRun>();
  /** Those that are no longer on this node, for their logs. */
  private readonly gone: PodRun[] = [];
  private renewed = 0;
  private timer: NodeJS.Timeout | undefined;
  private ticking: Promise<void> = Promise.resolve();
  private ended = false;

  constructor(premises: Premises) {
    this.premises = premises;
  }

  begin(): void {
    this.timer = setTimeout(() => {
      // The API server may be down for as long as a test likes: the next tick tries again.
      this.ticking = this.tick()
        .catch(() => undefined)
        .then(() => {
          if (!this.ended) this.begin();
        });
    }, TICK_MS);
  }

  async end(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    await this.ticking;
    await Promise.all([...this.runs.values()].map((run) => run.abandon()));
  }

  pods(): readonly KubeletPod[] {
    return [...this.runs.values()].map(({ namespace, name, state, pid }) => ({
      namespace,
      name,
      state: state.kind,
      exitCode: state.kind === "ended" ? state.exitCode : undefined,
      pid,
    }));
  }

  find(podName: string): PodRun {
    const run = [...this.runs.values()].find(({ name }) => name === podName);
    if (run === undefined) throw new Error(`There is no pod ${podName} on ${this.premises.nodeName}.`);
    return run;
  }

  logs(podName: string): string | undefined {
    const run = [...this.runs.values(), ...this.gone.toReversed()].find(({ name }) => name === podName);
    return run === undefined ? undefined : readFileSync(run.log, "utf8");
  }

  logOf(namespace: string, pod: string): { file: string; ended: () => boolean } | undefined {
    const run = [...this.runs.values()].find((one) => one.name === pod && one.namespace === namespace);
    return run === undefined ? undefined : { file: run.log, ended: () => run.state.kind === "ended" };
  }

  private async tick(): Promise<void> {
    const { send, nodeName } = this.premises;
    if (Date.now() - this.renewed >= LEASE_MS) {
      await renewLease(send, nodeName);
      this.renewed = Date.now();
    }
    const { status, json } = await send("GET", `/api/v1/pods?fieldSelector=spec.nodeName%3D${nodeName}`);
    if (status !== 200) return;
    const pods = (json as { items: readonly Pod[] }).items;
    await this.forgetMissing(pods);
    await Promise.allSettled(pods.map((pod) => this.advance(pod)));
  }

  private async advance(pod: Pod): Promise<void> {
    const { uid } = pod.metadata;
    let run = this.runs.get(uid);
    if (run === undefined) {
      if (this.paused && pod.metadata.deletionTimestamp === undefined) return;
      run = new PodRun(pod, this.premisesOf(uid));
      this.runs.set(uid, run);
    }
    await run.advance(pod);
  }

  private premisesOf(uid: string): ConstructorParameters<typeof PodRun>[1] {
    const { send, nodeName, folder, options } = this.premises;
    return {
      http: send,
      node: nodeName,
      folder: join(folder, uid),
      repositoryRoot: options.repositoryRoot ?? join(import.meta.dirname, "../.."),
      extraEnv: options.env ?? {},
      image: {
        entrypoint: options.entrypoint ?? ["node", "/app/dist/harvester/main.js"],
        env: imageEnv,
      },
      takeFailure: (podName) => this.takeFailure(podName),
    };
  }

  private takeFailure(podName: string): NextFailure | undefined {
    const next = this.failures.findIndex(({ podPrefix }) => podName.startsWith(podPrefix));
    return next < 0 ? undefined : this.failures.splice(next, 1)[0]?.failure;
  }

  /** Deleted with force, or by a namespace that went: nobody waits for its status any more. */
  private async forgetMissing(pods: readonly Pod[]): Promise<void> {
    const there = new Set(pods.map(({ metadata }) => metadata.uid));
    for (const [uid, run] of this.runs) {
      if (there.has(uid)) continue;
      await run.abandon();
      this.runs.delete(uid);
      this.gone.push(run);
    }
  }
}

interface NodeWish {
  readonly nodeName: string;
  readonly namespace: string | undefined;
  readonly logServer: LogServer;
}

async function registerNode(send: Http, { nodeName, namespace, logServer }: NodeWish): Promise<void> {
  const labels: Record<string, string> = {
    "kubernetes.io/hostname": nodeName,
    "kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
  };
  if (namespace !== undefined) labels[nodeLabel] = namespace;
  const made = await send("POST", "/api/v1/nodes", {
    body: { apiVersion: "v1", kind: "Node", metadata: { name: nodeName, labels } },
  });
  if (made.status !== 201) throw new Error(`The Node ${nodeName} was refused: ${made.text}`);
  const type = "application/merge-patch+json";
  const path = `/api/v1/nodes/${nodeName}`;
  await send("PATCH", `${path}/status`, { type, body: nodeStatus(nodeName, logServer.port) });
  // Every new node is marked as not ready, and the controller that would take the mark away is not at work here.
  await send("PATCH", path, { type, body: { spec: { taints: null } } });
}

function nodeStatus(nodeName: string, port: number): object {
  const now = new Date().toISOString();
  const room = { cpu: "64", memory: "256Gi", pods: "500", "ephemeral-storage": "1Ti" };
  return {
    status: {
      capacity: room,
      allocatable: room,
      addresses: [
        { type: "InternalIP", address: "127.0.0.1" },
        { type: "Hostname", address: nodeName },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
      nodeInfo: nodeInfo(nodeName),
      conditions: [
        {
          ...{ type: "Ready", status: "True", reason: "KubeletReady", message: "The test kubelet is ready" },
          ...{ lastHeartbeatTime: now, lastTransitionTime: now },
        },
      ],
    },
  };
}

function nodeInfo(nodeName: string): object {
  return {
    ...{ machineID: nodeName, systemUUID: nodeName, bootID: nodeName, kernelVersion: "test" },
    ...{ osImage: "test", containerRuntimeVersion: "process://1", kubeletVersion: "v1.0.0-test" },
    ...{ kubeProxyVersion: "", operatingSystem: "linux", architecture: "amd64" },
  };
}

async function renewLease(send: Http, nodeName: string): Promise<void> {
  const path = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  const metadata = { name: nodeName, namespace: "kube-node-lease" };
  const spec = {
    holderIdentity: nodeName,
    leaseDurationSeconds: 40,
    // MicroTime: six digits, or it is refused.
    renewTime: new Date().toISOString().replace("Z", "000Z"),
  };
  const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
  const type = "application/merge-patch+json";
  const renewed = await send("PATCH", `${path}/${nodeName}`, { type, body });
  if (renewed.status === 404) await send("POST", path, { body });
}
