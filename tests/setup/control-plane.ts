/**
 * A real Kubernetes control plane for tests: etcd, kube-apiserver, and (unless `parts: "api"`) kube-controller-manager and
 * kube-scheduler, on free loopback ports, in a temporary folder, gone at the end however the tests end. There is no kubelet:
 * see kubelet.ts.
 */
import { execFile } from "node:child_process";
import { generateKeyPairSync, randomBytes, randomInt } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findAssets, keepLogsOnly, noCluster, type Program } from "./cluster-assets.js";
import { clusterHttp, kubeconfigText, type Access } from "./cluster-http.js";
import { removeWithUs, startReaped, tailOf, type ReapedProcess, type SignalName } from "./cluster-process.js";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs kubectl; any exit code is an answer. `input`: its standard input. */
export type Kubectl = (args: readonly string[], options?: { readonly input?: string }) => Promise<Ran>;

export type Server = Exclude<Program, "kubectl">;

export interface ControlPlane extends Access {
  /** Path of a kubeconfig; its user is in system:masters. */
  readonly kubeconfig: string;
  readonly assets: string;
  /** Temporary folder with one log a server. */
  readonly folder: string;
  readonly kubectl: Kubectl;
  /** Process ids of the servers that were started last, by name. */
  readonly pids: Readonly<Partial<Record<Server, number>>>;
  /** e.g. signal("kube-apiserver", "STOP") freezes it, "CONT" lets it go on. */
  signal(server: Server, name: SignalName): void;
  /** SIGKILL; it stays down until restartApiServer(). */
  killApiServer(): Promise<void>;
  /** Stops it if it runs, starts it on the same port with the same data, and waits until it is ready. */
  restartApiServer(): Promise<void>;
  stop(): Promise<void>;
}

export interface ControlPlaneOptions {
  /** "api": etcd and API server alone (about 2 s, 400 MB); "all" (the default) with controllers and scheduler. */
  readonly parts?: "api" | "all";
  /** Further flags of kube-apiserver, e.g. ["--goaway-chance=0.02"]. */
  readonly apiServerFlags?: readonly string[];
}

/** Undefined, with one line said, when this machine has no control plane; throws then if REQUIRE names `cluster`. */
export async function startControlPlane(
  options: ControlPlaneOptions = {},
): Promise<ControlPlane | undefined> {
  const needed: Server[] = ["etcd", "kube-apiserver"];
  if (options.parts !== "api") needed.push("kube-controller-manager", "kube-scheduler");
  const assets = findAssets([...needed, "kubectl"]);
  if (assets === undefined) return noCluster("no programs of one found");
  for (let attempt = 1; ; attempt += 1) {
    const plane = await bringUp(assets, needed, options);
    if (!(plane instanceof Error)) return plane;
    // Another process took one of the ports between the look and the start.
    if (attempt === 3 || !/address already in use/.test(plane.message)) throw plane;
  }
}

async function bringUp(
  assets: string,
  needed: readonly Server[],
  options: ControlPlaneOptions,
): Promise<ControlPlane | Error> {
  const folder = mkdtempSync(join(tmpdir(), "control-plane-"));
  const release = removeWithUs(folder);
  const layout = await layOut(folder, options);
  const running = new Map<Server, ReapedProcess>();
  const start = async (server: Server): Promise<void> => {
    running.set(server, await launch(server, { assets, folder, layout }));
  };
  const stop = async (): Promise<void> => {
    // The API server last but one, etcd last: the others would only log that it has gone.
    for (const server of needed.toReversed()) await running.get(server)?.stop();
  };
  try {
    await start("etcd");
    await start("kube-apiserver");
    await untilReady(layout, { folder, running });
    for (const server of needed.slice(2)) await start(server);
    if (needed.includes("kube-controller-manager")) await untilControlled(layout, folder);
  } catch (problem) {
    await stop();
    keepLogsOnly(folder);
    release();
    return problem instanceof Error ? problem : new Error(String(problem));
  }
  return planeOf({ assets, folder, layout, running, start, stop, release });
}

interface Layout {
  readonly token: string;
  readonly ports: Readonly<Record<"client" | "peer" | "api" | "manager" | "scheduler", number>>;
  readonly flags: Readonly<Record<Server, readonly string[]>>;
  access(): Access;
}

async function layOut(folder: string, options: ControlPlaneOptions): Promise<Layout> {
  const token = randomBytes(24).toString("hex");
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  writeFileSync(join(folder, "sa.key"), privateKey, { mode: 0o600 });
  writeFileSync(join(folder, "sa.pub"), publicKey);
  writeFileSync(join(folder, "tokens.csv"), `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  const [client = 0, peer = 0, api = 0, manager = 0, scheduler = 0] = await freePorts(5);
  const ports = { client, peer, api, manager, scheduler };
  return {
    token,
    ports,
    flags: flagsOf(ports, options),
    access: () => ({
      server: `https://127.0.0.1:${String(api)}`,
      certificateAuthority: readFileSync(join(folder, "certs/apiserver.crt"), "utf8"),
      token,
    }),
  };
}

function flagsOf(
  ports: Layout["ports"],
  options: ControlPlaneOptions,
): Readonly<Record<Server, readonly string[]>> {
  const etcd = `http://127.0.0.1:${String(ports.client)}`;
  const peer = `http://127.0.0.1:${String(ports.peer)}`;
  return {
    etcd: [
      ...["--data-dir", "etcd", "--unsafe-no-fsync", "--log-level", "error"],
      ...["--listen-client-urls", etcd, "--advertise-client-urls", etcd],
      ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer],
      ...["--initial-cluster", `default=${peer}`],
    ],
    "kube-apiserver": [
      ...["--etcd-servers", etcd, "--secure-port", String(ports.api), "--bind-address", "127.0.0.1"],
      ...["--cert-dir", "certs", "--token-auth-file", "tokens.csv", "--authorization-mode", "RBAC"],
      ...["--service-cluster-ip-range", "10.0.0.0/24", "--profiling=false"],
      // The names of test kubelets' nodes are known to nobody else.
      ...["--kubelet-preferred-address-types", "InternalIP"],
      ...["--service-account-issuer", "https://kubernetes.default.svc"],
      ...["--service-account-key-file", "sa.pub", "--service-account-signing-key-file", "sa.key"],
      // Without the controllers nobody makes the ServiceAccounts this plugin asks for.
      ...(options.parts === "api" ? ["--disable-admission-plugins", "ServiceAccount"] : []),
      // PodNodeSelector keeps the pods of one test file on its own kubelet; the other is what the stricter clusters have on.
      ...["--enable-admission-plugins", "PodNodeSelector,OwnerReferencesPermissionEnforcement"],
      ...(options.apiServerFlags ?? []),
    ],
    "kube-controller-manager": [
      ...["--kubeconfig", "kubeconfig", "--leader-elect=false", "--profiling=false"],
      ...["--secure-port", String(ports.manager), "--bind-address", "127.0.0.1"],
      ...["--cert-dir", "certs-manager", "--service-account-private-key-file", "sa.key"],
      ...["--root-ca-file", "certs/apiserver.crt", "--kube-api-qps", "500", "--kube-api-burst", "1000"],
      // A test process under load may renew its node's lease late; that is no news here.
      ...["--controllers", "*,-node-lifecycle-controller"],
    ],
    "kube-scheduler": [
      ...["--kubeconfig", "kubeconfig", "--leader-elect=false", "--profiling=false"],
      ...["--secure-port", String(ports.scheduler), "--bind-address", "127.0.0.1"],
      ...["--cert-dir", "certs-scheduler", "--kube-api-qps", "500", "--kube-api-burst", "1000"],
    ],
  };
}

/**
 * Ports nobody else is likely to take before the server has them: outside the range the system gives to whoever asks for
 * "any", and free now.
 */
async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = 20_000 + randomInt(10_000);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => {
      resolve(false);
    });
    probe.listen(port, "127.0.0.1", () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}

interface Premises {
  readonly assets: string;
  readonly folder: string;
  readonly layout: Layout;
}

function launch(server: Server, { assets, folder, layout }: Premises): Promise<ReapedProcess> {
  return startReaped(join(assets, server), layout.flags[server], {
    log: join(folder, `${server}.log`),
    cwd: folder,
  });
}

/** Waits for the API server's own word, writes the kubeconfig, and throws when it or etcd ends before. */
async function untilReady(
  layout: Layout,
  { folder, running }: { readonly folder: string; readonly running: ReadonlyMap<Server, ReapedProcess> },
): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const ended = [...running].find(([, process]) => process.exitCode() !== undefined)?.[0];
    if (ended !== undefined || Date.now() > deadline)
      throw new Error(
        `${ended ?? "kube-apiserver"} ${ended === undefined ? "was not ready in 60 s" : "ended"}; its log in ${folder} ends with:\n` +
          tailOf(join(folder, `${ended ?? "kube-apiserver"}.log`)),
      );
    if (existsSync(join(folder, "certs/apiserver.crt")) && (await answers(layout.access(), "/readyz"))) break;
    await wait(100);
  }
  writeFileSync(join(folder, "kubeconfig"), kubeconfigText(layout.access()), { mode: 0o600 });
}

/** The controllers are at work once one of them has made the ServiceAccount of the first namespace. */
async function untilControlled(layout: Layout, folder: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await answers(layout.access(), "/api/v1/namespaces/default/serviceaccounts/default"))) {
    if (Date.now() > deadline)
      throw new Error(
        `kube-controller-manager made no ServiceAccount in 60 s; its log in ${folder} ends with:\n` +
          tailOf(join(folder, "kube-controller-manager.log")),
      );
    await wait(100);
  }
}

async function answers(access: Access, path: string): Promise<boolean> {
  const http = clusterHttp(access);
  try {
    return (await http.send("GET", path)).status === 200;
  } catch {
    return false;
  } finally {
    http.close();
  }
}

interface Running extends Premises {
  readonly running: ReadonlyMap<Server, ReapedProcess>;
  start(server: Server): Promise<void>;
  stop(): Promise<void>;
  release(): void;
}

function planeOf({ assets, folder, layout, running, start, stop, release }: Running): ControlPlane {
  const kubeconfig = join(folder, "kubeconfig");
  return {
    ...layout.access(),
    kubeconfig,
    assets,
    folder,
    kubectl: kubectlOf(join(assets, "kubectl"), kubeconfig),
    get pids() {
      return Object.fromEntries([...running].map(([server, process]) => [server, process.pid]));
    },
    signal: (server, name) => {
      running.get(server)?.signal(name);
    },
    killApiServer: async () => {
      running.get("kube-apiserver")?.signal("KILL");
      await running.get("kube-apiserver")?.exited;
    },
    restartApiServer: async () => {
      await running.get("kube-apiserver")?.stop();
      await start("kube-apiserver");
      await untilReady(layout, { folder, running });
    },
    stop: async () => {
      await stop();
      release();
      // vitest has set the exit code by now when a test failed: then somebody wants to read the logs.
      if (keepLogs()) {
        keepLogsOnly(folder);
        process.stderr.write(`The logs of the control plane are in ${folder}\n`);
      } else rmSync(folder, { recursive: true, force: true });
    },
  };
}

function keepLogs(): boolean {
  return process.env["HARVEST_TEST_KEEP"] === "1" || (process.exitCode ?? 0) !== 0;
}

/** kubectl bound to a kubeconfig, without the caches and preferences of the person whose machine this is. */
export function kubectlOf(program: string, kubeconfig: string): Kubectl {
  return (args, { input } = {}) =>
    new Promise((resolve) => {
      const env = {
        ...process.env,
        KUBECONFIG: kubeconfig,
        KUBERC: "off",
        KUBECACHEDIR: join(kubeconfig, "../kubectl-cache"),
      };
      const child = execFile(program, args, { env, maxBuffer: 1 << 26 }, (problem, stdout, stderr) => {
        const code = problem === null ? 0 : typeof problem.code === "number" ? problem.code : 255;
        resolve({ code, stdout, stderr: code === 255 ? `${stderr}${String(problem)}` : stderr });
      });
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input ?? "");
    });
}
