/** Hand edits of a CronJob on a real API server: each is seen, named, and gone after one repair; others' labels stay. */
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createApi } from "../../controller/cluster/client.js";
import { loadConnection } from "../../controller/cluster/connection.js";
import { childDifference, takeoverPatch } from "../../controller/drift/child-difference.js";
import { manager } from "../../controller/names.js";
import { keyOf, type KubeObject } from "../../controller/object.js";
import { fullInput, renderInput } from "../../controller/render/inputs-for-tests.js";
import { renderChildren } from "../../controller/render/render-children.js";
import { resources } from "../../controller/resources.js";
import { testCluster } from "../setup/cluster.js";

const cluster = await testCluster();
const namespace = cluster?.namespace ?? "";
const connection =
  cluster === undefined ? undefined : loadConnection({ kubeconfig: cluster.kubeconfig, environment: {} });
const api = connection === undefined ? undefined : createApi(connection);
const key = `${namespace}/edited`;
const pod = "spec.jobTemplate.spec.template.spec";

/** With everything the server rewrites: quantities, empty lists and texts, false where absent means false or true. */
const desired = {
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: {
    name: "edited",
    namespace,
    labels: { "app.kubernetes.io/managed-by": "harvest-controller" },
    annotations: { "ingest.geoportal.io/rendered-hash": "abc" },
  },
  spec: {
    schedule: "0 * * * *",
    concurrencyPolicy: "Forbid",
    suspend: true,
    jobTemplate: {
      spec: {
        backoffLimit: 0,
        podFailurePolicy: {
          rules: [
            { action: "FailJob", onExitCodes: { operator: "In", values: [78] } },
            { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] },
          ],
        },
        template: {
          spec: {
            automountServiceAccountToken: false,
            hostNetwork: false,
            restartPolicy: "Never",
            nodeSelector: {},
            imagePullSecrets: [],
            containers: [
              {
                name: "harvest",
                image: "example.org/harvest:1",
                args: ["a", "b"],
                env: [
                  { name: "A", value: "1" },
                  { name: "E", value: "" },
                ],
                resources: { requests: { cpu: "1000m", memory: "1024Mi" }, limits: { memory: "1.5Gi" } },
                volumeMounts: [
                  { name: "tmp", mountPath: "/tmp" },
                  { name: "tmp", mountPath: "/var/tmp", readOnly: false },
                ],
              },
            ],
            volumes: [{ name: "tmp", emptyDir: { sizeLimit: "1024Mi" } }],
          },
        },
      },
    },
  },
} satisfies KubeObject;

async function live(): Promise<KubeObject> {
  return (await api!.get(resources.cronJob, key))!;
}

async function apply(): Promise<void> {
  await api!.apply(resources.cronJob, desired, { manager, force: true });
}

async function kubectl(...args: string[]): Promise<void> {
  const { code, stderr } = await cluster!.kubectl(args);
  if (code !== 0) throw new Error(stderr);
}

async function patch(type: string, change: object, ...more: string[]): Promise<void> {
  await kubectl("patch", "cronjob", "edited", `--type=${type}`, "-p", JSON.stringify(change), ...more);
}

async function feed(object: object, ...args: string[]): Promise<void> {
  const { code, stderr } = await cluster!.kubectl([...args, "-f", "-"], { input: JSON.stringify(object) });
  if (code !== 0) throw new Error(stderr);
}

function inPod(change: object): object {
  return { spec: { jobTemplate: { spec: { template: { spec: change } } } } };
}

async function repair(): Promise<void> {
  const found = await live();
  const difference = childDifference({ desired, live: found, manager });
  if (difference.kind === "same") return;
  const { managedFields } = difference;
  if (managedFields !== undefined)
    await api!.patch(resources.cronJob, key, {
      body: takeoverPatch(found, managedFields),
      type: "application/json-patch+json",
      manager,
    });
  await apply();
}

describe.runIf(cluster !== undefined)("a CronJob edited by hand", () => {
  beforeEach(async () => {
    await api!.delete(resources.cronJob, key);
    await apply();
  });
  afterAll(async () => {
    await connection?.close();
    await cluster?.remove();
  });

  const harmless: { name: string; edit: () => Promise<unknown> }[] = [
    { name: "nothing", edit: () => Promise.resolve() },
    { name: "our own apply, once more", edit: apply },
    {
      name: "a label and an annotation of others",
      edit: () => kubectl("annotate", "cronjob", "edited", "note=x"),
    },
    {
      name: "the status",
      edit: () =>
        patch("merge", { status: { lastScheduleTime: "2026-01-01T00:00:00Z" } }, "--subresource=status"),
    },
    {
      name: "the same value, applied by another",
      edit: () =>
        feed(
          {
            apiVersion: "batch/v1",
            kind: "CronJob",
            metadata: { name: "edited" },
            spec: { schedule: "0 * * * *" },
          },
          "apply",
          "--server-side",
          "--field-manager=other",
        ),
    },
  ];
  it.each(harmless)("is the same after $name", async ({ edit }) => {
    await edit();
    expect(childDifference({ desired, live: await live(), manager })).toEqual({ kind: "same" });
  });

  const edits: { name: string; edit: () => Promise<unknown>; fields: string[]; managers: string[] }[] = [
    {
      name: "kubectl patch of a value",
      edit: () => patch("merge", { spec: { schedule: "5 * * * *" } }),
      fields: ["spec.schedule"],
      managers: ["kubectl-patch"],
    },
    {
      name: "kubectl patch with a container more",
      edit: () => patch("strategic", inPod({ containers: [{ name: "side", image: "x" }] })),
      fields: [`${pod}.containers[name=side]`],
      managers: ["kubectl-patch"],
    },
    {
      name: "kubectl set env",
      edit: () => kubectl("set", "env", "cronjob/edited", "EXTRA=1", "E=full"),
      fields: [
        `${pod}.containers[name=harvest].env[name=E].value`,
        `${pod}.containers[name=harvest].env[name=EXTRA]`,
      ],
      managers: ["kubectl-set"],
    },
    {
      name: "a token for the pod, by leaving out what forbids it",
      edit: () =>
        patch("json", [
          { op: "remove", path: "/spec/jobTemplate/spec/template/spec/automountServiceAccountToken" },
        ]),
      fields: [`${pod}.automountServiceAccountToken`],
      managers: [],
    },
    {
      name: "the network of the host",
      edit: () => patch("merge", inPod({ hostNetwork: true })),
      fields: [`${pod}.hostNetwork`],
      managers: ["kubectl-patch"],
    },
    {
      name: "the disk of the host",
      edit: () =>
        patch("json", [
          {
            op: "replace",
            path: "/spec/jobTemplate/spec/template/spec/volumes/0",
            value: { name: "tmp", hostPath: { path: "/" } },
          },
        ]),
      fields: [`${pod}.volumes[name=tmp].emptyDir`, `${pod}.volumes[name=tmp].hostPath`],
      managers: ["kubectl-patch"],
    },
    {
      name: "kubectl replace, as an editor saves it",
      edit: async () => {
        const { spec, ...rest } = structuredClone(await live()) as unknown as typeof desired;
        spec.suspend = false;
        spec.jobTemplate.spec.template.spec.containers[0]!.args.push("c");
        await feed({ ...rest, spec }, "replace");
      },
      fields: ["spec.suspend", `${pod}.containers[name=harvest].args`],
      managers: ["kubectl-replace"],
    },
    {
      name: "kubectl apply of a manifest with a field more",
      edit: () => feed({ ...desired, spec: { ...desired.spec, startingDeadlineSeconds: 77 } }, "apply"),
      fields: ["spec.startingDeadlineSeconds"],
      managers: ["kubectl-client-side-apply"],
    },
    {
      name: "another server-side apply",
      edit: () =>
        feed(
          {
            apiVersion: "batch/v1",
            kind: "CronJob",
            metadata: { name: "edited" },
            spec: { startingDeadlineSeconds: 77 },
          },
          "apply",
          "--server-side",
          "--field-manager=other",
        ),
      fields: ["spec.startingDeadlineSeconds"],
      managers: ["other"],
    },
    {
      name: "somebody who borrows our name",
      edit: () => patch("merge", { spec: { startingDeadlineSeconds: 77 } }, `--field-manager=${manager}`),
      fields: ["spec.startingDeadlineSeconds"],
      managers: [manager],
    },
    {
      name: "a label of ours",
      edit: () => kubectl("label", "--overwrite", "cronjob", "edited", "app.kubernetes.io/managed-by=me"),
      fields: ["metadata.labels.app.kubernetes.io/managed-by"],
      managers: [],
    },
  ];
  it.each(edits)("is told, and mended by one repair, after $name", async ({ edit, fields, managers }) => {
    await kubectl("label", "cronjob", "edited", "team=x");
    await edit();
    const found = childDifference({ desired, live: await live(), manager });
    expect(found.kind).toBe("differs");
    if (found.kind !== "differs") return;
    expect(found.fields.map(({ field }) => field).sort()).toEqual([...fields].sort());
    expect(found.managers).toEqual(managers);
    await repair();
    expect(childDifference({ desired, live: await live(), manager })).toEqual({ kind: "same" });
    expect((await live()).metadata.labels).toEqual({ ...desired.metadata.labels, team: "x" });
  });

  it("is mended by two repairs when managedFields were wiped", async () => {
    await patch("merge", { metadata: { managedFields: [{}] }, spec: { startingDeadlineSeconds: 77 } });
    await repair();
    await repair();
    const mended = await live();
    expect(childDifference({ desired, live: mended, manager })).toEqual({ kind: "same" });
    expect(mended["spec"]).not.toHaveProperty("startingDeadlineSeconds");
  });

  it.each([
    { name: "with the least it may say", input: renderInput() },
    { name: "with all it may say", input: fullInput() },
  ])("what is rendered $name is the same once the server has it", async ({ input }) => {
    const { configMap, networkPolicy, cronJob } = renderChildren(input);
    const kinds = [
      [resources.configMap, configMap],
      [resources.networkPolicy, networkPolicy],
      [resources.cronJob, cronJob],
    ] as const;
    for (const [resource, rendered] of kinds) {
      // Without an owner that lives the garbage collector would take it.
      const child: KubeObject = {
        ...rendered,
        metadata: { ...rendered.metadata, namespace, ownerReferences: [] },
      };
      const found = await api!.apply(resource, child, { manager, force: true });
      expect(childDifference({ desired: child, live: found, manager })).toEqual({ kind: "same" });
      await api!.delete(resource, keyOf(child));
    }
  });
});
