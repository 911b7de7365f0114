/** What people get wrong around a controller: each is said where they look, and mended without a restart. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Condition, KubeObject, LiveSource } from "../../controller/object.js";
import type { TestController } from "../setup/controller.js";
import { startControlPlane } from "../setup/control-plane.js";
import { installCrd, openStage, until, type ControllerStage } from "../setup/controller-stage.js";
import { clusterPath } from "../setup/cluster-paths.js";
import { kubeconfigText } from "../setup/cluster-http.js";
import { testBundle } from "../setup/policy-bundle.js";

const plane = await startControlPlane({ parts: "api" });
const crdFile = join(import.meta.dirname, "../../crds/ingest.geoportal.io_harvestsources.yaml");
let stage: ControllerStage;
let folder: string;

beforeAll(async () => {
  if (plane !== undefined) await installCrd(plane);
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "misuse-"));
  if (plane !== undefined) stage = await openStage(plane);
});
afterEach(async () => {
  await stage.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => plane?.stop());

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function condition(name: string, type: string): Promise<Condition | undefined> {
  const source = (await stage.read(name)) as LiveSource | undefined;
  return source?.status?.conditions?.find((each) => each.type === type);
}

/** Waits for a line with these words, wherever in it they stand. */
async function told(controller: TestController, words: string): Promise<void> {
  await until(`the log says "${words}"`, () =>
    controller.lines().some((line) => JSON.stringify(line).includes(words)),
  );
}

/** Waits for Ready to be False and answers what it says. */
async function notReady(name: string): Promise<string> {
  return until(`${name} is not Ready`, async () => {
    const ready = await condition(name, "Ready");
    return ready?.status === "False" && ready.message;
  });
}

/** Waits for an event of this reason about a source; its message. */
async function event(reason: string, name = "a"): Promise<string> {
  return until(`there is an event ${reason}`, async () => {
    const events = await stage.list("events");
    const found = events.find(
      (each) =>
        each["reason"] === reason && (each["involvedObject"] as { name?: string } | undefined)?.name === name,
    );
    return found && String(found["message"]);
  });
}

async function must(method: string, path: string, body: object): Promise<void> {
  const { status, text } = await stage.http(method, path, { body });
  if (status > 299) throw new Error(text);
}

const kubeconfig = (server: string): string => kubeconfigText({ ...plane!, server }, stage.namespace);

describe.skipIf(plane === undefined)("a controller that cannot begin", { timeout: 60_000 }, () => {
  it.each([
    {
      name: "no kubeconfig where KUBECONFIG says",
      config: () => join(folder, "nowhere"),
      said: /There is no kubeconfig at \S*\/nowhere/,
    },
    {
      name: "no kubeconfig at all, and no pod",
      config: () => "",
      said: /kubeconfig/,
    },
    {
      name: "a kubeconfig that is no YAML",
      config: () => file("broken", "clusters: [oh: no\n  - {"),
      said: /The kubeconfig \S*\/broken /,
    },
    {
      name: "a kubeconfig whose context is not in it",
      config: () =>
        file(
          "lost",
          kubeconfig(plane!.server).replace('"current-context":"test"', '"current-context":"gone"'),
        ),
      said: /context .*gone/,
    },
  ])("ends with 78 and says why: $name", async ({ config, said }) => {
    const controller = stage.start({ kubeconfig: config(), env: { HOME: folder } });
    expect(await controller.ended).toBe(78);
    expect(controller.lines()).toHaveLength(1);
    expect(controller.lines()[0]).toMatchObject({ level: "error" });
    expect(controller.lines()[0]!["message"]).toMatch(said);
  });

  it.each([
    { name: "a file that is not there", text: undefined, said: /controller\.yaml cannot be read/ },
    {
      name: "a field that does not exist",
      text: "workers: 2\nharvester:\n  image: a@sha256:00\n  policyBundel: b\n",
      said: /controller\.yaml:4: There is no field harvester\.policyBundel\. Did you mean policyBundle\?/,
    },
    {
      name: "an election in which two could lead",
      text: "harvester: { image: a@sha256:00, policyBundle: b }\nleaderElection:\n  leaseSeconds: 5\n  renewSeconds: 5\n",
      said: /controller\.yaml:\d+: leaderElection needs leaseSeconds/,
    },
  ])("ends with 78 and names file and line of its configuration: $name", async ({ text, said }) => {
    const path = join(folder, "controller.yaml");
    if (text !== undefined) writeFileSync(path, text);
    const controller = stage.start({ env: { HARVEST_CONTROLLER_CONFIG: path } });
    expect(await controller.ended).toBe(78);
    expect(
      controller
        .lines()
        .map(({ message }) => message)
        .join("\n"),
    ).toMatch(said);
  });

  it("ends with 1 and names the port when somebody has it", async () => {
    const other = createServer().listen(0);
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const controller = stage.start({ config: { port } });
    expect(await controller.ended).toBe(1);
    expect(controller.lines().at(-1)!["message"]).toContain(String(port));
    expect(controller.lines().at(-1)!["message"]).toContain("Another process listens there");
    other.close();
  });
});

describe.skipIf(plane === undefined)(
  "a controller that has to wait for somebody",
  { timeout: 120_000 },
  () => {
    it("for a role: it names verb and resource, and works once it has it", async () => {
      const { namespace } = stage;
      const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
      await must("POST", accounts, { metadata: { name: "harvest-controller" } });
      const { json } = await stage.http("POST", `${accounts}/harvest-controller/token`, {
        body: { spec: {} },
      });
      const { token } = (json as { status: { token: string } }).status;
      const path = file("account", kubeconfigText({ ...stage.proxy, token }, namespace));
      await stage.create("a");
      const controller = stage.start({ kubeconfig: path });
      await told(controller, "may not list harvestsources.ingest.geoportal.io");
      await told(controller, "may not list cronjobs.batch");
      await told(controller, "may not get leases.coordination.k8s.io");
      const { status } = await fetch(`${await controller.url()}/readyz`);
      expect(status).toBe(500);
      await must("POST", `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {
        metadata: { name: "harvest-controller" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
        subjects: [{ kind: "ServiceAccount", name: "harvest-controller", namespace }],
      });
      await stage.converged();
    });

    it("for its namespace: it says that there is none", async () => {
      const elsewhere = `${stage.namespace}-not-yet`;
      await stage.create("a");
      const controller = stage.start({ env: { POD_NAMESPACE: elsewhere } });
      await told(controller, `there is no namespace ${elsewhere}`);
      await must("POST", "/api/v1/namespaces", { metadata: { name: elsewhere } });
      await stage.converged();
    });

    it("for the one that leads, though it has the same name", async () => {
      const one = stage.start({ identity: "controller-0" });
      await one.said("Leading.");
      const two = stage.start({ identity: "controller-0" });
      await two.said("There is a new leader.");
      await stage.create("a");
      await stage.converged();
      expect(two.lines().some(({ message }) => message === "Leading.")).toBe(false);
      one.kill("SIGKILL");
      await two.said("Leading.");
    });

    it("for the policy bundle: the one that is there lies about its digest", async () => {
      const path = clusterPath(stage.namespace, "configmaps", stage.bundle.name);
      const honest = JSON.parse(stage.bundle.text) as KubeObject;
      const other = JSON.parse(
        testBundle(stage.namespace, { "rules/oai-dc-rules.sch": undefined }).text,
      ) as KubeObject;
      await stage.remove(`configmaps/${stage.bundle.name}`);
      await must("POST", clusterPath(stage.namespace, "configmaps"), { ...other, metadata: honest.metadata });
      await stage.create("a");
      stage.start();
      expect(await notReady("a")).toContain(stage.bundle.name);
      expect((await condition("a", "Stalled"))?.message).toContain("digest");
      expect(await event("Stalled")).toContain("digest");
      await stage.http("DELETE", path);
      await must("POST", clusterPath(stage.namespace, "configmaps"), honest);
      await stage.converged();
    });
  },
);

describe.skipIf(plane === undefined)("what belongs to somebody else", { timeout: 120_000 }, () => {
  const strangers = {
    cronjobs: { spec: foreignCronJobSpec() },
    networkpolicies: { spec: { podSelector: {} } },
    // With our name and other data; it cannot be changed by anybody.
    configmaps: { immutable: true, data: { mine: "yes" } },
  } as const;
  const kinds = ["cronjobs", "networkpolicies", "configmaps"] as const;

  it("a stranger's object with our name is told, not touched, and ours is made when it has gone", async () => {
    const first = stage.start();
    for (const name of kinds) await stage.create(name);
    await stage.converged();
    await first.stop();
    const places: string[] = [];
    for (const plural of kinds) {
      const objects = await stage.list(plural);
      const { metadata } = objects.find(
        (one) => one.metadata.labels?.["ingest.geoportal.io/source"] === plural,
      )!;
      await stage.remove(`${plural}/${metadata.name}`);
      const body = { metadata: { name: metadata.name }, ...strangers[plural] };
      await must("POST", clusterPath(stage.namespace, plural), body);
      places.push(`${plural}/${metadata.name}`);
    }
    const before = await Promise.all(places.map((place) => stage.read(place)));
    await stage.dropLease();
    stage.start();
    for (const [i, name] of kinds.entries()) {
      const sentence = await notReady(name);
      expect(sentence).toContain(`/${places[i]!.split("/")[1]!} already exists and belongs to somebody`);
      expect(await event("ChildrenBlocked", name)).toBe(sentence);
    }
    expect(await Promise.all(places.map((place) => stage.read(place)))).toEqual(before);
    for (const place of places) await stage.remove(place);
    await stage.converged();
  });

  it.each([
    {
      engine: "Flux",
      manager: "kustomize-controller",
      metadata: { labels: { "kustomize.toolkit.fluxcd.io/name": "catalogue" } },
    },
    {
      engine: "Argo CD",
      manager: "argocd-controller",
      metadata: { annotations: { "argocd.argoproj.io/tracking-id": "catalogue:x/y:z/a" } },
    },
  ])("a source of $engine is told of a hand edit, and left to $engine", async ({ manager, metadata }) => {
    stage.start();
    await stage.deliver("a", {}, { manager, metadata });
    await stage.converged();
    await stage.edit("a", { spec: { schedule: "1 1 * * *" } });
    expect(await event("DriftDetected")).toContain("schedule");
    expect((await condition("a", "Drifted"))?.status).toBe("True");
    await until("what is live is what runs", async () => {
      const cronJob = await stage.read("cronjobs/harvest-a");
      return (cronJob!["spec"] as { schedule: string }).schedule === "1 1 * * *";
    });
    expect((await stage.read("a"))!["spec"]).toMatchObject({ schedule: "1 1 * * *" });
  });
});

describe.skipIf(plane === undefined)("the limits of names", { timeout: 120_000 }, () => {
  it("44 characters reach the CronJob, the requested run and the withdrawal", async () => {
    const name = `a${"b".repeat(42)}c`;
    stage.start();
    await stage.create(name, {
      baseUrl: "https://long.example.gov/oai",
      deletions: { onSourceRemoval: "withdraw" },
    });
    await stage.ask(name, "x".repeat(200));
    await stage.converged();
    const [run] = await stage.list("jobs");
    expect(run!.metadata.name).toHaveLength(63);
    await stage.endJob(run!.metadata.name);
    await stage.remove(name);
    const withdrawal = await until("it is withdrawn", async () =>
      (await stage.list("jobs")).find(
        ({ metadata }) => metadata.labels?.["ingest.geoportal.io/role"] === "withdraw",
      ),
    );
    expect(withdrawal.metadata.name.length).toBeLessThanOrEqual(63);
    await stage.endJob(withdrawal.metadata.name);
    await until("it is gone", async () => (await stage.read(name)) === undefined);
  });
});

describe.skipIf(plane === undefined)("the CRD", { timeout: 180_000 }, () => {
  afterEach(() => installCrd(plane!));

  it("is not there: the controller says so, and works once it is", async () => {
    await removeCrd();
    const controller = stage.start();
    await controller.said("its CRD is not installed, or is older. Apply crds/");
    await installCrd(plane!);
    await stage.create("a");
    await stage.converged();
  });

  it("is older than scheduleSpreadMinutes: sources are scheduled as written", async () => {
    await installOlder((schema) => delete schema.spec.properties["scheduleSpreadMinutes"]);
    stage.start();
    await stage.create("a");
    await stage.converged();
  });

  it("is older than a field of the status: the children are in place, and the log names the field until it is new", async () => {
    await installOlder((schema) => delete schema.status.properties["summary"]);
    const controller = stage.start();
    await stage.create("a");
    await told(controller, "it does not know the field .status.summary");
    await until("the CronJob is there", () => stage.read("cronjobs/harvest-a"));
    await installCrd(plane!);
    await stage.converged();
  });
});

interface Schema {
  readonly spec: { readonly properties: Record<string, unknown> };
  readonly status: { readonly properties: Record<string, unknown> };
}

async function removeCrd(): Promise<void> {
  const { code, stderr } = await plane!.kubectl([
    "delete",
    "--ignore-not-found",
    "--timeout=60s",
    "-f",
    crdFile,
  ]);
  if (code !== 0) throw new Error(stderr);
}

/** Ours, without what a newer one has. */
async function installOlder(change: (schema: Schema) => unknown): Promise<void> {
  await removeCrd();
  const crd = parse(readFileSync(crdFile, "utf8")) as {
    spec: { versions: { schema: { openAPIV3Schema: { properties: Schema } } }[] };
  };
  change(crd.spec.versions[0]!.schema.openAPIV3Schema.properties);
  const { code, stderr } = await plane!.kubectl(["apply", "--server-side", "-f", "-"], {
    input: JSON.stringify(crd),
  });
  if (code !== 0) throw new Error(stderr);
  await plane!.kubectl(["wait", "--for=condition=Established", "--timeout=30s", "-f", crdFile]);
}

function foreignCronJobSpec(): object {
  const container = { name: "c", image: "example.invalid/c:1" };
  const pod = { spec: { restartPolicy: "Never", containers: [container] } };
  return { schedule: "0 0 1 1 *", jobTemplate: { spec: { template: pod } } };
}
