import { describe, expect, it } from "vitest";
import { childDifference } from "./child-difference.js";
import type { JsonObject, KubeObject, ManagedFieldsEntry } from "../object.js";

// The samples below were copied from a kube-apiserver 1.37 (spec and fieldsV1 shortened), after kubectl did what they say.

const manager = "harvest-controller";
const hash = "ingest.geoportal.io/rendered-hash";

const desired = {
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: {
    name: "harvest-a",
    namespace: "default",
    labels: { "app.kubernetes.io/managed-by": "harvest-controller" },
    annotations: { [hash]: "abc" },
    ownerReferences: [
      { apiVersion: "ingest.geoportal.io/v1", kind: "HarvestSource", name: "a", uid: "u1", controller: true },
    ],
  },
  spec: {
    schedule: "0 * * * *",
    suspend: false,
    jobTemplate: {
      spec: {
        backoffLimit: 0,
        template: {
          spec: {
            automountServiceAccountToken: false,
            hostNetwork: false,
            nodeSelector: {},
            imagePullSecrets: [],
            containers: [
              {
                name: "harvest",
                args: ["a", "b"],
                env: [
                  { name: "A", value: "1" },
                  { name: "E", value: "" },
                ],
                resources: { limits: { cpu: "2000m", memory: "1.5Gi" }, requests: { cpu: 1 } },
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

function podFields(container: JsonObject, pod: JsonObject = {}): JsonObject {
  const containers = { 'k:{"name":"harvest"}': container };
  return {
    "f:jobTemplate": { "f:spec": { "f:template": { "f:spec": { ...pod, "f:containers": containers } } } },
  };
}

const ownFields: JsonObject = {
  "f:metadata": {
    "f:annotations": { [`f:${hash}`]: {} },
    "f:labels": { "f:app.kubernetes.io/managed-by": {} },
    "f:ownerReferences": { 'k:{"uid":"u1"}': {} },
  },
  "f:spec": {
    "f:schedule": {},
    "f:suspend": {},
    ...{
      "f:jobTemplate": {
        "f:spec": {
          "f:backoffLimit": {},
          "f:template": {
            "f:spec": {
              "f:automountServiceAccountToken": {},
              "f:hostNetwork": {},
              "f:nodeSelector": {},
              "f:containers": {
                'k:{"name":"harvest"}': {
                  ".": {},
                  "f:name": {},
                  "f:args": {},
                  "f:env": {
                    'k:{"name":"A"}': { ".": {}, "f:name": {}, "f:value": {} },
                    'k:{"name":"E"}': { ".": {}, "f:name": {}, "f:value": {} },
                  },
                  "f:resources": {
                    "f:limits": { "f:cpu": {}, "f:memory": {} },
                    "f:requests": { "f:cpu": {} },
                  },
                  "f:volumeMounts": {
                    'k:{"mountPath":"/tmp"}': { ".": {}, "f:mountPath": {}, "f:name": {} },
                    'k:{"mountPath":"/var/tmp"}': {
                      ".": {},
                      "f:mountPath": {},
                      "f:name": {},
                      "f:readOnly": {},
                    },
                  },
                },
              },
              "f:volumes": {
                'k:{"name":"tmp"}': { ".": {}, "f:name": {}, "f:emptyDir": { "f:sizeLimit": {} } },
              },
            },
          },
        },
      },
    },
  },
};

const ownEntry: ManagedFieldsEntry = {
  manager,
  operation: "Apply",
  apiVersion: "batch/v1",
  time: "2026-12-01T00:57:54Z",
  fieldsType: "FieldsV1",
  fieldsV1: ownFields,
};

function update(
  by: string,
  fieldsV1: JsonObject,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  const time = "2026-12-01T01:00:00Z";
  return {
    manager: by,
    operation: "Update",
    apiVersion: "batch/v1",
    time,
    fieldsType: "FieldsV1",
    fieldsV1,
    ...more,
  };
}

/** What the server makes of `desired`: defaults filled in, quantities rewritten, empty values left out. */
function served(): KubeObject & { spec: ReturnType<typeof servedSpec> } {
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: {
      ...structuredClone(desired.metadata),
      uid: "c1",
      resourceVersion: "357",
      generation: 1,
      managedFields: [structuredClone(ownEntry)],
    },
    spec: servedSpec(),
    status: { lastScheduleTime: "2026-12-01T00:00:00Z" },
  };
}

function servedSpec() {
  return {
    concurrencyPolicy: "Allow",
    failedJobsHistoryLimit: 1,
    schedule: "0 * * * *",
    suspend: false,
    jobTemplate: {
      metadata: {},
      spec: {
        backoffLimit: 0,
        template: {
          metadata: {},
          spec: {
            automountServiceAccountToken: false as boolean | undefined,
            containers: [
              {
                name: "harvest",
                args: ["a", "b"],
                env: [{ name: "A", value: "1" }, { name: "E" }] as { name: string; value?: string }[],
                imagePullPolicy: "IfNotPresent",
                resources: { limits: { cpu: "2", memory: "1536Mi" }, requests: { cpu: "1" } },
                terminationMessagePath: "/dev/termination-log",
                volumeMounts: [
                  { mountPath: "/tmp", name: "tmp" },
                  { mountPath: "/var/tmp", name: "tmp" },
                ],
              },
            ] as { name: string; [field: string]: unknown }[],
            dnsPolicy: "ClusterFirst",
            volumes: [{ name: "tmp", emptyDir: { sizeLimit: "1Gi" } }] as {
              name: string;
              [field: string]: unknown;
            }[],
          },
        },
      },
    },
  };
}

type Served = ReturnType<typeof served>;

/** The served object after `change`, with these entries behind our own. */
function live(
  change: (object: Served) => void = () => undefined,
  ...entries: ManagedFieldsEntry[]
): KubeObject {
  const object = served();
  change(object);
  return { ...object, metadata: { ...object.metadata, managedFields: [ownEntry, ...entries] } };
}

function podOf(object: Served) {
  return object.spec.jobTemplate.spec.template.spec;
}

/** Our entry after somebody took a field from it. */
function ownWithout(...path: string[]): ManagedFieldsEntry {
  const fieldsV1 = structuredClone(ownFields) as Record<string, unknown>;
  const parent = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((set, key) => set[key] as Record<string, unknown>, fieldsV1);
  Reflect.deleteProperty(parent, path.at(-1)!);
  return { ...ownEntry, fieldsV1: fieldsV1 as JsonObject };
}

function withOwn(own: ManagedFieldsEntry, object: KubeObject): KubeObject {
  const [, ...rest] = object.metadata.managedFields ?? [];
  return { ...object, metadata: { ...object.metadata, managedFields: [own, ...rest] } };
}

const POD = ["f:spec", "f:jobTemplate", "f:spec", "f:template", "f:spec"] as const;
const pod = "spec.jobTemplate.spec.template.spec";

describe("childDifference says same", () => {
  const table: { name: string; live: KubeObject }[] = [
    { name: "as the server rewrote it", live: live() },
    {
      name: "after the status was written",
      live: live(
        undefined,
        update(
          "kube-controller-manager",
          { "f:status": { "f:lastScheduleTime": {} } },
          { subresource: "status" },
        ),
        update("kubectl-patch", { "f:status": { "f:lastScheduleTime": {} } }, { subresource: "status" }),
      ),
    },
    {
      name: "after another tool labelled and annotated",
      live: live(
        (object) => {
          Object.assign(object.metadata.labels!, { team: "x" });
          Object.assign(object.metadata.annotations!, { note: "y" });
        },
        update("kubectl-label", {
          "f:metadata": { "f:labels": { "f:team": {} }, "f:annotations": { "f:note": {} } },
        }),
      ),
    },
    {
      name: "when another applied the same values, and would let go of nothing of ours",
      live: live(undefined, update("other", { "f:spec": { "f:schedule": {} } }, { operation: "Apply" })),
    },
    {
      name: "when the controller manager wrote a field",
      live: live(undefined, update("kube-controller-manager", { "f:spec": { "f:parallelism": {} } })),
    },
  ];
  it.each(table)("$name", ({ live }) => {
    expect(childDifference({ desired, live, manager })).toEqual({ kind: "same" });
  });
});

describe("childDifference says what differs, and who", () => {
  const table: {
    name: string;
    live: KubeObject;
    fields: { field: string; delivered?: string; live?: string }[];
    managers?: string[];
  }[] = [
    {
      name: "another rendering",
      live: live((object) => Object.assign(object.metadata.annotations!, { [hash]: "old" })),
      fields: [{ field: `metadata.annotations.${hash}`, delivered: '"abc"', live: '"old"' }],
    },
    {
      name: "a label of ours",
      live: live((object) =>
        Object.assign(object.metadata.labels!, { "app.kubernetes.io/managed-by": "me" }),
      ),
      fields: [
        {
          field: "metadata.labels.app.kubernetes.io/managed-by",
          delivered: '"harvest-controller"',
          live: '"me"',
        },
      ],
    },
    {
      name: "the owner, gone or of an earlier life",
      live: live((object) => {
        (object.metadata.ownerReferences![0] as { uid: string }).uid = "u0";
      }),
      fields: [
        {
          field: "metadata.ownerReferences[uid=u1]",
          delivered:
            '{"apiVersion":"ingest.geoportal.io/v1","controller":true,"kind":"HarvestSource","name":"a","uid":"u1"}',
        },
      ],
    },
    {
      name: "a value, edited",
      live: withOwn(
        ownWithout("f:spec", "f:suspend"),
        live(
          (object) => {
            object.spec.suspend = true;
          },
          update("kubectl-edit", { "f:spec": { "f:suspend": {} } }),
        ),
      ),
      fields: [{ field: "spec.suspend", delivered: "false", live: "true" }],
      managers: ["kubectl-edit"],
    },
    {
      name: "a value, edited and edited back: it is theirs now",
      live: withOwn(
        ownWithout("f:spec", "f:suspend"),
        live(undefined, update("kubectl-edit", { "f:spec": { "f:suspend": {} } })),
      ),
      fields: [{ field: "spec.suspend", live: "false" }],
      managers: ["kubectl-edit"],
    },
    {
      name: "false that was removed, where absent means true",
      live: withOwn(
        ownWithout(...POD, "f:automountServiceAccountToken"),
        live((object) => {
          delete podOf(object).automountServiceAccountToken;
        }),
      ),
      fields: [{ field: `${pod}.automountServiceAccountToken`, delivered: "false" }],
    },
    {
      name: "an environment variable more",
      live: live(
        (object) => (podOf(object).containers[0]!["env"] as object[]).push({ name: "EXTRA", value: "1" }),
        update("kubectl-patch", {
          "f:spec": podFields({
            "f:env": { 'k:{"name":"EXTRA"}': { ".": {}, "f:name": {}, "f:value": {} } },
          }),
        }),
      ),
      fields: [
        { field: `${pod}.containers[name=harvest].env[name=EXTRA]`, live: '{"name":"EXTRA","value":"1"}' },
      ],
      managers: ["kubectl-patch"],
    },
    {
      name: "an empty value that was filled",
      live: withOwn(
        ownWithout(...POD, "f:containers", 'k:{"name":"harvest"}', "f:env", 'k:{"name":"E"}', "f:value"),
        live(
          (object) => {
            (podOf(object).containers[0]!["env"] as { value?: string }[])[1]!.value = "full";
          },
          update("kubectl-set", {
            "f:spec": podFields({ "f:env": { 'k:{"name":"E"}': { "f:value": {} } } }),
          }),
        ),
      ),
      fields: [
        { field: `${pod}.containers[name=harvest].env[name=E].value`, delivered: '""', live: '"full"' },
      ],
      managers: ["kubectl-set"],
    },
    {
      name: "a container more",
      live: live(
        (object) => podOf(object).containers.push({ name: "side", image: "x" }),
        update("kubectl-patch", {
          "f:spec": {
            "f:jobTemplate": {
              "f:spec": {
                "f:template": {
                  "f:spec": {
                    "f:containers": { 'k:{"name":"side"}': { ".": {}, "f:image": {}, "f:name": {} } },
                  },
                },
              },
            },
          },
        }),
      ),
      fields: [{ field: `${pod}.containers[name=side]`, live: '{"image":"x","name":"side"}' }],
      managers: ["kubectl-patch"],
    },
    {
      name: "a volume that is another kind of volume",
      live: withOwn(
        ownWithout(...POD, "f:volumes", 'k:{"name":"tmp"}', "f:emptyDir"),
        live(
          (object) => {
            podOf(object).volumes = [{ name: "tmp", hostPath: { path: "/" } }];
          },
          update("kubectl-patch", {
            "f:spec": podFields(
              {},
              { "f:volumes": { 'k:{"name":"tmp"}': { "f:hostPath": { ".": {}, "f:path": {} } } } },
            ),
          }),
        ),
      ),
      fields: [
        { field: `${pod}.volumes[name=tmp].emptyDir`, delivered: '{"sizeLimit":"1024Mi"}' },
        { field: `${pod}.volumes[name=tmp].hostPath`, live: '{"path":"/"}' },
      ],
      managers: ["kubectl-patch"],
    },
    {
      name: "what somebody wrote under our own name",
      live: live(
        (object) => Object.assign(object.spec, { startingDeadlineSeconds: 3 }),
        update(manager, { "f:spec": { "f:startingDeadlineSeconds": {} } }),
      ),
      fields: [{ field: "spec.startingDeadlineSeconds", live: "3" }],
      managers: [manager],
    },
    {
      name: "what we took over and had no time to remove",
      live: withOwn(
        {
          ...ownEntry,
          fieldsV1: {
            ...ownFields,
            "f:spec": { ...(ownFields["f:spec"] as JsonObject), "f:startingDeadlineSeconds": {} },
          },
        },
        live((object) => Object.assign(object.spec, { startingDeadlineSeconds: 3 })),
      ),
      fields: [{ field: "spec.startingDeadlineSeconds", live: "3" }],
    },
  ];
  it.each(table)("$name", ({ live, fields, managers = [] }) => {
    const found = childDifference({ desired, live, manager });
    expect(found).toMatchObject({ kind: "differs", fields, managers });
    expect("managedFields" in found).toBe(managers.length > 0);
  });

  it("an object whose managedFields were wiped", () => {
    const wiped = live();
    const metadata = { ...wiped.metadata, managedFields: [] };
    const found = childDifference({ desired, live: { ...wiped, metadata }, manager });
    expect(found).toMatchObject({ kind: "differs", managers: [] });
    expect(found.kind === "differs" && found.fields.at(-1)).toEqual({
      field: "metadata.managedFields",
      delivered: '"harvest-controller"',
    });
  });
});

describe("a NetworkPolicy, whose lists are one value", () => {
  const policy = {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "harvest-a", namespace: "default" },
    spec: {
      podSelector: { matchLabels: { a: "b" } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [],
      egress: [{ ports: [{ port: 443 }], to: [{ ipBlock: { cidr: "10.0.0.0/8" } }] }],
    },
  };
  const own = {
    manager,
    operation: "Apply",
    fieldsV1: { "f:spec": { "f:egress": {}, "f:ingress": {}, "f:podSelector": {}, "f:policyTypes": {} } },
  } as const;
  function policyLive(egress: unknown[], ...managedFields: ManagedFieldsEntry[]): KubeObject {
    const { podSelector, policyTypes } = policy.spec;
    return {
      ...policy,
      metadata: { ...policy.metadata, managedFields },
      spec: { podSelector, policyTypes, egress },
    };
  }
  const rule = { ports: [{ port: 443, protocol: "TCP" }], to: [{ ipBlock: { cidr: "10.0.0.0/8" } }] };

  it("is the same with its defaults and without its empty list", () => {
    expect(childDifference({ desired: policy, live: policyLive([rule], own), manager })).toEqual({
      kind: "same",
    });
  });

  it("differs by a rule more, whoever owns the list", () => {
    const theirs = update("kubectl-edit", { "f:spec": { "f:egress": {} } });
    const ours = {
      ...own,
      fieldsV1: { "f:spec": { "f:ingress": {}, "f:podSelector": {}, "f:policyTypes": {} } },
    };
    const found = childDifference({ desired: policy, live: policyLive([rule, {}], ours, theirs), manager });
    expect(found).toMatchObject({ kind: "differs", managers: ["kubectl-edit"] });
    expect(found.kind === "differs" && found.fields.map(({ field }) => field)).toEqual(["spec.egress"]);
  });
});
