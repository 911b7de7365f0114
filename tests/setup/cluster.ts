/**
 * A namespace of its own, with our CRD, for one test file: in the one control plane all files of a run share, in the cluster
 * HARVEST_TEST_KUBECONFIG names, or, run alone, in a control plane started for it.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findAssets, noCluster } from "./cluster-assets.js";
import { accessOf, clusterHttp, kubeconfigText, type Access, type Http } from "./cluster-http.js";
import { removeWithUs } from "./cluster-process.js";
import { kubectlOf, startControlPlane, type Kubectl } from "./control-plane.js";

export interface TestCluster extends Access {
  /** Path of a kubeconfig with all rights, whose namespace is `namespace`. */
  readonly kubeconfig: string;
  /** Fresh, pod-security restricted; its pods run only on a kubelet started for it (tests/setup/kubelet.ts). */
  readonly namespace: string;
  readonly kubectl: Kubectl;
  readonly http: Http;
  /** Somebody's cluster (HARVEST_TEST_KUBECONFIG): leave out what needs control over the server, and test kubelets. */
  readonly existing: boolean;
  /** Deletes the namespace. To be called at the end. */
  remove(): Promise<void>;
}

/** Names the kubeconfig of the shared control plane to the test processes; "" says there is none. */
const variable = "HARVEST_TEST_CLUSTER";
const existingVariable = "HARVEST_TEST_KUBECONFIG";
const crds = join(import.meta.dirname, "../../crds/ingest.geoportal.io_harvestsources.yaml");

/** As vitest's globalSetup: one control plane, with our CRD, for all test files. What it returns stops it. */
export async function shareControlPlane(): Promise<() => Promise<void>> {
  const given = process.env[existingVariable];
  const plane = given === undefined || given === "" ? await startControlPlane() : undefined;
  const kubeconfig = plane?.kubeconfig ?? given ?? "";
  process.env[variable] = kubeconfig;
  try {
    if (kubeconfig !== "") await installCrd(kubectlOf(kubectlProgram(), kubeconfig));
  } catch (problem) {
    await plane?.stop();
    throw problem;
  }
  return async () => {
    await plane?.stop();
  };
}

export interface ClusterWish {
  /** Ask for a control plane of ours: for a test kubelet, or for power over the server. Undefined in somebody's cluster. */
  readonly ours?: boolean;
}

/** Undefined, with one line said, when this machine has no control plane; throws then if REQUIRE names `cluster`. */
export async function testCluster({ ours = false }: ClusterWish = {}): Promise<TestCluster | undefined> {
  const given = process.env[existingVariable] ?? "";
  if (ours && given !== "") {
    process.stderr.write(`Skipped: needs a control plane of its own, not ${existingVariable}.\n`);
    return undefined;
  }
  const shared = process.env[variable];
  if (shared === "") return noCluster("none was started for this run");
  if (shared !== undefined) return openNamespace(shared, () => Promise.resolve());
  const stop = await shareControlPlane();
  const kubeconfig = process.env[variable];
  if (kubeconfig === undefined || kubeconfig === "") return undefined;
  return openNamespace(kubeconfig, stop);
}

async function openNamespace(
  sharedKubeconfig: string,
  afterwards: () => Promise<void>,
): Promise<TestCluster> {
  const existing = sharedKubeconfig === process.env[existingVariable];
  const folder = mkdtempSync(join(tmpdir(), "cluster-"));
  const release = removeWithUs(folder);
  const kubeconfig = join(folder, "kubeconfig");
  const namespace = `test-${randomBytes(5).toString("hex")}`;
  const admin = kubectlOf(kubectlProgram(), sharedKubeconfig);
  await must(admin, ["apply", "-f", "-"], JSON.stringify(namespaceManifest(namespace, existing)));
  const access = existing ? await accessByServiceAccount(admin, namespace) : accessOf(sharedKubeconfig);
  writeFileSync(kubeconfig, kubeconfigText(access, namespace), { mode: 0o600 });
  const { send, close } = clusterHttp(access);
  await untilServiceAccount(send, namespace);
  return {
    ...access,
    kubeconfig,
    namespace,
    kubectl: kubectlOf(kubectlProgram(), kubeconfig),
    http: send,
    existing,
    async remove() {
      close();
      await emptyNamespace(admin, namespace);
      rmSync(folder, { recursive: true, force: true });
      release();
      await afterwards();
    },
  };
}

function namespaceManifest(name: string, existing: boolean): object {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name,
      labels: {
        "harvest-test": "true",
        "pod-security.kubernetes.io/enforce": "restricted",
        "pod-security.kubernetes.io/enforce-version": "latest",
      },
      // Of the plugin PodNodeSelector: the pods of this namespace go to this test file's kubelet and to no other's.
      annotations: existing ? {} : { "scheduler.alpha.kubernetes.io/node-selector": `${nodeLabel}=${name}` },
    },
  };
}

/** Label of a test kubelet's node: the namespace it works for. */
export const nodeLabel = "harvest-test/namespace";

/** A kubeconfig may log in by certificate, program or single sign-on; a token of our own works for all of them. */
async function accessByServiceAccount(admin: Kubectl, namespace: string): Promise<Access> {
  const name = "harvest-test-admin";
  await must(admin, ["-n", namespace, "create", "serviceaccount", name]);
  await must(admin, [
    ...["create", "clusterrolebinding", namespace, "--clusterrole=cluster-admin"],
    `--serviceaccount=${namespace}:${name}`,
  ]);
  const token = await must(admin, ["-n", namespace, "create", "token", name, "--duration=4h"]);
  const view = JSON.parse(
    await must(admin, ["config", "view", "--raw", "--minify", "--flatten", "-o", "json"]),
  ) as { clusters: { cluster: { server: string; "certificate-authority-data"?: string } }[] };
  const cluster = view.clusters[0]?.cluster;
  return {
    server: cluster?.server ?? "",
    certificateAuthority: Buffer.from(cluster?.["certificate-authority-data"] ?? "", "base64").toString(),
    token: token.trim(),
  };
}

/** Pods of a namespace are refused until it has its ServiceAccount. */
async function untilServiceAccount(send: Http, namespace: string): Promise<void> {
  for (let waited = 0; waited < 300; waited += 1) {
    const { status } = await send("GET", `/api/v1/namespaces/${namespace}/serviceaccounts/default`);
    if (status === 200) return;
    await wait(50);
  }
  throw new Error(`The namespace ${namespace} has no ServiceAccount after 15 s: no controllers are at work.`);
}

async function installCrd(kubectl: Kubectl): Promise<void> {
  await must(kubectl, ["apply", "--server-side", "--force-conflicts", "-f", crds]);
  await must(kubectl, ["wait", "--for=condition=Established", "--timeout=30s", "-f", crds]);
}

/** Nothing of a test may be left in somebody's cluster: a finalizer whose controller has gone would keep the namespace. */
async function emptyNamespace(admin: Kubectl, namespace: string): Promise<void> {
  await admin(["delete", "namespace", namespace, "--wait=false"]);
  await admin(["delete", "clusterrolebinding", namespace, "--ignore-not-found"]);
  const held = await admin(["-n", namespace, "get", "harvestsources", "-o", "name"]);
  for (const name of held.stdout.split("\n").filter((line) => line !== ""))
    await admin(["-n", namespace, "patch", name, "--type=merge", "-p", '{"metadata":{"finalizers":null}}']);
}

function kubectlProgram(): string {
  const assets = findAssets(["kubectl"]);
  return assets === undefined ? "kubectl" : join(assets, "kubectl");
}

/** Its standard output; throws what it said when it failed. */
async function must(kubectl: Kubectl, args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await kubectl(args, input === undefined ? {} : { input });
  if (code !== 0) throw new Error(`kubectl ${args.join(" ")} ended with ${String(code)}: ${stderr}`);
  return stdout;
}
