/** A kubeconfig of the controller's own ServiceAccount, with the rights manifests/install gives it and no others. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseAllDocuments } from "yaml";
import { kubeconfigText } from "./cluster-http.js";
import type { TestCluster } from "./cluster.js";

const base = join(import.meta.dirname, "../../manifests/install/base");
const name = "harvest-controller";

export interface ControllerAccount {
  /** Path. */
  readonly kubeconfig: string;
  remove(): Promise<void>;
}

/** `home`: where the controller lives and has its lease. As the cluster-wide overlay binds it, under names of its own. */
export async function controllerAccount(home: TestCluster): Promise<ControllerAccount> {
  const { namespace } = home;
  const own = `harvest-${namespace}`;
  await apply(home, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } });
  for (const object of shipped("own-namespace-role.yaml")) await apply(home, object);
  for (const object of shipped("controller-role.yaml"))
    await apply(home, { ...object, metadata: { name: own } });
  await apply(home, {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: own },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: own },
    subjects: [{ kind: "ServiceAccount", name, namespace }],
  });
  const { code, stdout, stderr } = await home.kubectl(["create", "token", name, "--duration=1h"]);
  if (code !== 0) throw new Error(stderr);
  const path = join(dirname(home.kubeconfig), "controller");
  writeFileSync(path, kubeconfigText({ ...home, token: stdout.trim() }, namespace), { mode: 0o600 });
  return {
    kubeconfig: path,
    async remove() {
      await home.kubectl(["delete", "clusterrole,clusterrolebinding", own]);
    },
  };
}

function shipped(file: string): readonly object[] {
  return parseAllDocuments(readFileSync(join(base, file), "utf8")).map((each) => each.toJS() as object);
}

async function apply({ kubectl }: TestCluster, object: object): Promise<void> {
  const { code, stderr } = await kubectl(["apply", "-f", "-"], { input: JSON.stringify(object) });
  if (code !== 0) throw new Error(stderr);
}
