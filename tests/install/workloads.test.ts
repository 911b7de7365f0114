import { describe, expect, it } from "vitest";
import { liveSource } from "../../controller/status/inputs-for-tests.js";
import { renderWithdrawJob } from "../../controller/render/withdraw-job.js";
import { parseControllerConfig } from "../../source/controller-config/parse.js";
import { everything } from "./everything.js";
import { kubectl, readFile, type Manifest } from "./overlays.js";
import { workloadRules } from "./workload-rules.js";

const installations = everything();

describe.skipIf(kubectl === undefined).each(installations)("$name, with all components:", ({ objects }) => {
  it.each(Object.entries(workloadRules))("%s", (_rule, broken) => {
    expect(broken(objects)).toEqual([]);
  });
});

/** A rule that finds nothing in a manifest full of faults would find nothing anywhere. */
describe("the rules themselves", () => {
  const bad = [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "lax", namespace: "default" } },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d", namespace: "n" },
      spec: {
        replicas: 2,
        template: {
          metadata: { labels: { a: "b" } },
          spec: {
            hostNetwork: true,
            serviceAccountName: "nobody",
            containers: [
              {
                name: "c",
                image: "ghcr.io/x/y:latest",
                env: [{ name: "PASSWORD", value: "x" }],
                ports: [{ hostPort: 1 }],
                volumeMounts: [{ name: "missing" }],
              },
            ],
          },
        },
      },
    },
    { apiVersion: "batch/v1", kind: "Job", metadata: { name: "j", namespace: "n" }, spec: {} },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "s", namespace: "n" },
      spec: { selector: { a: "c" } },
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "r" },
      rules: [{ apiGroups: ["*"], resources: ["secrets", "pods/exec"], verbs: ["escalate"] }],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "b" },
      roleRef: { kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ kind: "User", name: "u", namespace: "n" }],
    },
  ] as unknown as readonly Manifest[];

  it.each(Object.entries(workloadRules))("would notice that not: %s", (_rule, broken) => {
    expect(broken(bad)).not.toEqual([]);
  });
});

describe("the pods that the controller makes with the configuration of the install", () => {
  const text = readFile("manifests/install/overlays/cluster-wide/controller/controller.yaml");
  const { policyBundle, ...harvester } = parseControllerConfig(text, "controller.yaml").config!.harvester;
  const job = renderWithdrawJob({
    source: liveSource(),
    settings: { ...harvester, bundleName: policyBundle },
  });
  const account: Manifest = {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "harvest-pod", namespace: "geo" },
    automountServiceAccountToken: false,
  };
  /** What a child has no say in, or has in another way. */
  const others = [
    "every object says what it is part of",
    "nothing goes to whatever namespace kubectl is set to",
  ];

  it.each(Object.entries(workloadRules).filter(([rule]) => !others.includes(rule)))("%s", (_rule, broken) => {
    expect(broken([job as unknown as Manifest, account])).toEqual([]);
  });
});
