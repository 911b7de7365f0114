/** Hand edits of what the whole controller made: each is put back at once and told, and nobody fights for ever. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubeObject } from "../../controller/object.js";
import { testCluster } from "../setup/cluster.js";
import { until } from "../setup/controller-stage.js";
import { conditionOf, openDriftStage, standsStill, type DriftStage } from "../setup/drift-stage.js";

const cluster = await testCluster();
let stage: DriftStage;

const pod = "spec.jobTemplate.spec.template.spec";

interface Spec {
  schedule: string;
  suspend: boolean;
  startingDeadlineSeconds?: number;
  jobTemplate: {
    spec: { template: { spec: { containers: { image: string; env: object[]; args?: string[] }[] } } };
  };
}

function inPod(change: object): object {
  return { spec: { jobTemplate: { spec: { template: { spec: change } } } } };
}

async function patch(target: string, type: string, change: object): Promise<void> {
  await stage.kubectl(["patch", target, `--type=${type}`, "-p", JSON.stringify(change)]);
}

/** As kubectl edit and kubectl replace do it: the whole object, changed. */
async function replace(target: string, change: (object: Record<string, unknown>) => void): Promise<void> {
  const object = JSON.parse(await stage.kubectl(["get", target, "-o", "json"])) as Record<string, unknown>;
  change(object);
  await stage.kubectl(["replace", "-f", "-"], object);
}

async function apply(target: string, change: (object: Record<string, unknown>) => void, ...how: string[]) {
  const live = JSON.parse(await stage.kubectl(["get", target, "-o", "json"])) as KubeObject;
  const { name, labels, annotations, ownerReferences } = live.metadata;
  const metadata = { name, labels, annotations, ownerReferences };
  const object: Record<string, unknown> = { ...live, metadata, status: undefined };
  change(object);
  await stage.kubectl(["apply", ...how, "-f", "-"], object);
}

function specOf(object: Record<string, unknown>): Spec {
  return object["spec"] as Spec;
}

async function configMapOf(name: string): Promise<string> {
  return `configmaps/${(await stage.source(name)).status!.delivery!.configMapName!}`;
}

/** As its source says to the last field; what kubectl notes for itself stays, as every annotation of others. */
async function mended(source: string): Promise<void> {
  await until(`all of ${source} is as it says`, async () => {
    const problems = await stage.problems();
    return !problems.some(
      (text) => new RegExp(`${source}[^0-9]`).test(text) && !text.includes("last-applied"),
    );
  });
}

function configMaps(): string {
  return `/api/v1/namespaces/${stage.namespace}/configmaps`;
}

/** Deletes a ConfigMap and makes another of its name: whoever is quicker has the name. */
async function squat(name: string, body: object): Promise<void> {
  await until("somebody was quicker", async () => {
    await cluster!.http("DELETE", `${configMaps()}/${name}`);
    return (await cluster!.http("POST", configMaps(), { body })).status === 201;
  });
}

interface Edit {
  readonly name: string;
  readonly kind: "CronJob" | "NetworkPolicy" | "ConfigMap";
  /** `target`: as kubectl and our paths name it. */
  readonly edit: (target: string, source: string) => Promise<unknown>;
  /** What the event says, beside the child's name. */
  readonly words: readonly string[];
}

const edits: readonly Edit[] = [
  {
    name: "kubectl patch of the schedule",
    kind: "CronJob",
    edit: (target) => patch(target, "merge", { spec: { schedule: "5 4 * * *" } }),
    words: ['"kubectl-patch"', "spec.schedule"],
  },
  {
    name: "kubectl patch to suspend it",
    kind: "CronJob",
    edit: (target) => patch(target, "strategic", { spec: { suspend: true } }),
    words: ['"kubectl-patch"', "spec.suspend"],
  },
  {
    name: "kubectl set image",
    kind: "CronJob",
    edit: (target) => stage.kubectl(["set", "image", target, "*=evil.example/miner:1"]),
    words: ['"kubectl-set"', `${pod}.containers[name=harvester].image`],
  },
  {
    name: "kubectl set env",
    kind: "CronJob",
    edit: (target) => stage.kubectl(["set", "env", target, "NODE_OPTIONS=--require=/tmp/x.js"]),
    words: ['"kubectl-set"', "env[name=NODE_OPTIONS]"],
  },
  {
    name: "kubectl patch with a container more",
    kind: "CronJob",
    edit: (target) =>
      patch(target, "strategic", inPod({ containers: [{ name: "side", image: "example.invalid/x:1" }] })),
    words: ['"kubectl-patch"', `${pod}.containers[name=side]`],
  },
  {
    name: "kubectl replace of the whole, as an editor saves it",
    kind: "CronJob",
    edit: (target) =>
      replace(target, (object) => {
        specOf(object).jobTemplate.spec.template.spec.containers[0]!.args = ["--help"];
        specOf(object).schedule = "6 4 * * *";
      }),
    words: ['"kubectl-replace"', "spec.schedule", `${pod}.containers[name=harvester].args`],
  },
  {
    name: "kubectl apply with a field more",
    kind: "CronJob",
    edit: (target) => apply(target, (object) => (specOf(object).startingDeadlineSeconds = 77)),
    words: ['"kubectl-client-side-apply"', "spec.startingDeadlineSeconds"],
  },
  {
    name: "kubectl apply --server-side by force",
    kind: "CronJob",
    edit: (target) =>
      apply(
        target,
        (object) => (specOf(object).schedule = "7 4 * * *"),
        "--server-side",
        "--force-conflicts",
        "--field-manager=other",
      ),
    words: ['"other"', "spec.schedule"],
  },
  {
    name: "a full update by a program",
    kind: "CronJob",
    edit: (target) =>
      stage.update(target, (object) => {
        const spec = (object as unknown as { spec: Spec }).spec;
        spec.jobTemplate.spec.template.spec.containers[0]!.env.push({ name: "LD_PRELOAD", value: "/tmp/x" });
      }),
    words: ['"my-script"', "env[name=LD_PRELOAD]"],
  },
  {
    name: "the label by which it is found taken off",
    kind: "CronJob",
    edit: (target) => stage.kubectl(["label", target, "app.kubernetes.io/managed-by-"]),
    words: ["metadata.labels.app.kubernetes.io/managed-by"],
  },
  {
    name: "the label of its source pointing to another",
    kind: "CronJob",
    edit: (target) => stage.kubectl(["label", "--overwrite", target, "ingest.geoportal.io/source=nobody"]),
    words: ["metadata.labels.ingest.geoportal.io/source"],
  },
  {
    name: "its owner taken off",
    kind: "CronJob",
    edit: (target) => patch(target, "merge", { metadata: { ownerReferences: null } }),
    words: ["metadata.ownerReferences"],
  },
  {
    name: "kubectl delete",
    kind: "CronJob",
    edit: (target) => stage.kubectl(["delete", target, "--wait=false"]),
    words: ["deleted"],
  },
  {
    name: "kubectl delete in the foreground",
    kind: "CronJob",
    edit: (target) => stage.kubectl(["delete", target, "--cascade=foreground", "--wait=false"]),
    // It is seen going before it is gone: the condition says so.
    words: [],
  },
  {
    name: "kubectl patch that lets it out to everywhere",
    kind: "NetworkPolicy",
    edit: (target) => patch(target, "json", [{ op: "add", path: "/spec/egress/-", value: {} }]),
    words: ['"kubectl-patch"', "spec.egress"],
  },
  {
    name: "kubectl apply that lets others in",
    kind: "NetworkPolicy",
    edit: (target) =>
      apply(target, (object) => ((object["spec"] as Record<string, unknown>)["ingress"] = [{}])),
    words: ['"kubectl-client-side-apply"', "spec.ingress"],
  },
  {
    name: "kubectl delete",
    kind: "NetworkPolicy",
    edit: (target) => stage.kubectl(["delete", target, "--wait=false"]),
    words: ["deleted"],
  },
  {
    name: "kubectl delete",
    kind: "ConfigMap",
    edit: (target) => stage.kubectl(["delete", target, "--wait=false"]),
    words: ["deleted"],
  },
  {
    name: "deleted, and made anew with other data by somebody quicker",
    kind: "ConfigMap",
    edit: async (target) => {
      const { metadata } = (await stage.read(target))!;
      const { name, labels, annotations, ownerReferences } = metadata;
      const same = { name, labels, annotations, ownerReferences };
      await squat(name, { metadata: same, data: { "source.yaml": "x: 1\n" }, immutable: true });
    },
    words: ["data.source.yaml"],
  },
  {
    name: "its owner taken off",
    kind: "ConfigMap",
    edit: (target) => patch(target, "merge", { metadata: { ownerReferences: null } }),
    words: ["metadata.ownerReferences"],
  },
];

const names = edits.map((_, i) => `edited-${String(i)}`);

describe.skipIf(cluster === undefined)("a child edited by hand", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    stage = await openDriftStage(cluster!);
    await stage.start();
    await stage.deliver([...names, "again", "gone", "taken"]);
    await stage.converged();
  }, 120_000);
  afterAll(async () => {
    await stage?.stop();
    await cluster?.remove();
  });

  it.each(edits.map((edit, i) => ({ ...edit, source: names[i]! })))(
    "$kind: $name",
    async ({ kind, edit, words, source }) => {
      const plural = { CronJob: "cronjobs", NetworkPolicy: "networkpolicies", ConfigMap: "configmaps" }[kind];
      const target = kind === "ConfigMap" ? await configMapOf(source) : `${plural}/harvest-${source}`;
      const counted = await stage.metric(`harvest_children_repaired_total{kind="${kind}"}`);
      const from = stage.proxy.log.length;
      await edit(target, source);
      if (words.length > 0) {
        await stage.told(source, "ChildRepaired", [target.split("/")[1]!, ...words]);
        expect(await stage.metric(`harvest_children_repaired_total{kind="${kind}"}`)).toBe(counted + 1);
      }
      await mended(source);
      const writes = stage.requests(source, from).filter(({ write }) => write);
      expect(writes.length, writes.map(({ verb, path }) => `${verb} ${path}`).join("\n")).toBeLessThan(8);
    },
  );

  it("stands still afterwards", async () => {
    await standsStill(stage, [
      ...names,
      ...names.flatMap((name) => [`cronjobs/harvest-${name}`, `networkpolicies/harvest-${name}`]),
    ]);
  });

  it("is put back as often as somebody edits it, at a price", async () => {
    const counted = await stage.metric('harvest_children_repaired_total{kind="CronJob"}');
    const from = stage.proxy.log.length;
    for (let i = 0; i < 20; i += 1) {
      const path = `/apis/batch/v1/namespaces/${stage.namespace}/cronjobs/harvest-again?fieldManager=bot`;
      const body = { spec: { schedule: `${String(i)} 5 * * *` } };
      await cluster!.http("PATCH", path, { body, type: "application/merge-patch+json" });
      await until("it is put back", async () => {
        const live = await stage.read("cronjobs/harvest-again");
        return (live?.["spec"] as Spec | undefined)?.schedule === "0 */6 * * *";
      });
    }
    await mended("again");
    expect(await stage.metric('harvest_children_repaired_total{kind="CronJob"}')).toBe(counted + 20);
    expect(stage.requests("again", from).length).toBeLessThanOrEqual(20 * 5);
  });

  it("comes back as often as somebody deletes it, however fast", async () => {
    const path = "networkpolicies/harvest-gone";
    for (let i = 0; i < 20; i += 1) {
      await until("it is there", () => stage.read(path));
      await cluster!.http("DELETE", `/apis/networking.k8s.io/v1/namespaces/${stage.namespace}/${path}`);
    }
    await mended("gone");
  });

  it("is not taken from somebody who put another in its place, and says so until that goes", async () => {
    const [, name = ""] = (await configMapOf("taken")).split("/");
    await squat(name, { metadata: { name }, data: { "source.yaml": "mine" }, immutable: true });
    const blocked = await stage.sourceIs("is blocked", "taken", (source) => {
      return conditionOf(source, "Ready")?.status === "False";
    });
    expect(conditionOf(blocked, "Ready")?.message).toBe(
      `ConfigMap ${stage.namespace}/${name} already exists and belongs to somebody who left no owner reference; it is not touched. Rename or remove it, or rename the source.`,
    );
    expect((await stage.read(`configmaps/${name}`))?.["data"]).toEqual({ "source.yaml": "mine" });
    await cluster!.http("DELETE", `${configMaps()}/${name}`);
    await mended("taken");
  });
});
