/** manifests/install on a real control plane of this file's own: it installs for the whole cluster. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { may, type Question } from "../setup/access-review.js";
import { clusterHttp, kubeconfigText } from "../setup/cluster-http.js";
import { startControlPlane } from "../setup/control-plane.js";
import { startController } from "../setup/controller.js";
import { everything } from "../install/everything.js";
import { idOf, manifestsIn, readFile, type Manifest } from "../install/overlays.js";

const plane = await startControlPlane();
const http = plane === undefined ? undefined : clusterHttp(plane);
const install = join(import.meta.dirname, "../../manifests/install");
const scratch = mkdtempSync(join(tmpdir(), "install-"));

afterAll(async () => {
  http?.close();
  await plane?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

async function kubectl(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await plane!.kubectl(args, input === undefined ? {} : { input });
  expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
  return stdout;
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let waited = 0; waited < 600; waited += 1) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await wait(100);
  }
  throw new Error(`After 60 s still not so: ${what}`);
}

async function versions(objects: readonly Manifest[]): Promise<Readonly<Record<string, string>>> {
  const text = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
  const list = JSON.parse(await kubectl(["get", "-o", "json", "-f", "-"], text)) as {
    items: readonly Manifest[];
  };
  return Object.fromEntries(
    list.items.map((object) => {
      const { generation, resourceVersion } = object.metadata as {
        generation?: number;
        resourceVersion?: string;
      };
      // What has a status that controllers write is compared by its generation, which only a change of spec moves.
      return [
        idOf(object),
        generation === undefined ? `version ${resourceVersion ?? ""}` : `generation ${String(generation)}`,
      ];
    }),
  );
}

/** Those of the Prometheus operator, whose definitions no bare cluster has. */
const foreign = ["ServiceMonitor", "PrometheusRule"];

const installations = everything();

describe.skipIf(plane === undefined)("every way of installing", () => {
  it.each(installations)(
    "is taken by the API server, and a second time changes nothing: $name",
    async ({ name, objects }) => {
      const served = objects.filter(({ kind }) => !foreign.includes(kind));
      const namespace = name === "source-namespace" ? ["-n", "default"] : [];
      const text = served.map((object) => JSON.stringify(object)).join("\n---\n");
      const apply = [
        "apply",
        "--server-side",
        "--force-conflicts",
        "--validate=strict",
        ...namespace,
        "-f",
        "-",
      ];
      await kubectl(apply, text);
      const before = await versions(served);
      expect(Object.keys(before).length).toBe(served.length);
      await kubectl(apply, text);
      expect(await versions(served)).toEqual(before);
      const remove = ["delete", "--ignore-not-found", "--wait=false", ...namespace, "-f", "-"];
      // Definition and namespaces stay for those that follow.
      await kubectl(
        remove,
        JSON.stringify({
          apiVersion: "v1",
          kind: "List",
          items: served.filter(({ kind }) => !["CustomResourceDefinition", "Namespace"].includes(kind)),
        }),
      );
    },
  );
});

const account = "system:serviceaccount:harvest:harvest-controller";
const everywhere = ["harvest", "geo"];

/** What the controller asks of the API, by the code that asks it. */
const asked: Readonly<Record<string, string>> = {
  "harvestsources.ingest.geoportal.io": "get list watch patch",
  "harvestsources.ingest.geoportal.io/status": "patch",
  "harvestsources.ingest.geoportal.io/finalizers": "update",
  "cronjobs.batch": "get list watch create patch delete",
  "jobs.batch": "get list watch create delete",
  pods: "get list watch",
  configmaps: "get list watch create patch delete",
  "networkpolicies.networking.k8s.io": "get list watch create patch delete",
  events: "create patch",
};
const verbs = "get list watch create update patch delete deletecollection".split(" ");

/** Everything a namespace has, by and large, and what leads to more. */
const kinds = [
  ...Object.keys(asked),
  ...[
    "secrets",
    "services",
    "serviceaccounts",
    "serviceaccounts/token",
    "persistentvolumeclaims",
    "endpoints",
  ],
  ...[
    "pods/exec",
    "pods/log",
    "pods/attach",
    "pods/portforward",
    "pods/ephemeralcontainers",
    "pods/eviction",
    "pods/status",
  ],
  ...[
    "deployments.apps",
    "statefulsets.apps",
    "daemonsets.apps",
    "replicasets.apps",
    "jobs.batch/status",
    "cronjobs.batch/status",
  ],
  ...[
    "roles.rbac.authorization.k8s.io",
    "rolebindings.rbac.authorization.k8s.io",
    "leases.coordination.k8s.io",
  ],
  ...["ingresses.networking.k8s.io", "resourcequotas", "limitranges", "poddisruptionbudgets.policy"],
];
const clusterKinds = [
  ...["nodes", "namespaces", "persistentvolumes", "clusterroles.rbac.authorization.k8s.io"],
  ...["clusterrolebindings.rbac.authorization.k8s.io", "customresourcedefinitions.apiextensions.k8s.io"],
  "validatingadmissionpolicies.admissionregistration.k8s.io",
];

async function allowed(
  user: string,
  resources: readonly string[],
  namespace?: string,
): Promise<readonly string[]> {
  const questions = resources.flatMap((resource) =>
    verbs.map((verb): Question => ({ verb, resource, ...(namespace === undefined ? {} : { namespace }) })),
  );
  const answers = await Promise.all(questions.map((question) => may(http!.send, user, question)));
  return questions
    .flatMap(({ verb, resource }, index) => (answers[index] === true ? [`${verb} ${resource}`] : []))
    .sort();
}

/** What was asked for, and in the controller's own namespace the lease of nobody else. */
function expected(own: boolean): readonly string[] {
  const all = Object.entries(asked).flatMap(([resource, list]) =>
    list.split(" ").map((verb) => `${verb} ${resource}`),
  );
  return [...all, ...(own ? ["create leases.coordination.k8s.io"] : [])].sort();
}

describe.skipIf(plane === undefined)("the rights of an installation for one namespace", () => {
  beforeAll(async () => {
    await kubectl(["apply", "--server-side", "-k", install]);
    for (const namespace of ["geo"]) await kubectl(["create", "namespace", namespace]);
  });

  it("are exactly what the controller asks for", async () => {
    expect(await allowed(account, kinds, "harvest")).toEqual(expected(true));
  });

  it("end at its namespace", async () => {
    expect(await allowed(account, kinds, "geo")).toEqual([]);
    expect(await allowed(account, [...kinds, ...clusterKinds])).toEqual([]);
  });

  it.each([
    ["its own lease", "harvest-controller", { get: true, patch: true, update: true, delete: false }],
    ["no other lease", "kube-controller-manager", { get: false, patch: false, update: false, delete: false }],
  ] as const)("hold for %s", async (_name, name, wanted) => {
    const seen = await Promise.all(
      Object.keys(wanted).map(async (verb) => [
        verb,
        await may(http!.send, account, {
          verb,
          resource: "leases.coordination.k8s.io",
          namespace: "harvest",
          name,
        }),
      ]),
    );
    expect(Object.fromEntries(seen)).toEqual(wanted);
  });

  it("are none for the harvest pods", async () => {
    for (const namespace of everywhere)
      expect(await allowed("system:serviceaccount:harvest:harvest-pod", kinds, namespace)).toEqual([]);
  });

  it("come to people with the roles they have: view sees sources, edit changes them, nobody writes status", async () => {
    for (const role of ["view", "edit"])
      await kubectl([
        "-n",
        "harvest",
        "create",
        "rolebinding",
        `test-${role}`,
        `--clusterrole=${role}`,
        `--user=${role}er`,
      ]);
    const resources = ["harvestsources", "harvestsources/status"].map((each) =>
      each.replace("harvestsources", "harvestsources.ingest.geoportal.io"),
    );
    await until("the roles are aggregated", async () =>
      (await allowed("editer", resources, "harvest")).length > 6 ? true : undefined,
    );
    const seen = (list: string) =>
      list.split(" ").flatMap((verb) => resources.map((resource) => `${verb} ${resource}`));
    expect(await allowed("viewer", resources, "harvest")).toEqual(seen("get list watch").sort());
    expect(await allowed("editer", resources, "harvest")).toEqual(
      [
        ...seen("get list watch"),
        ...["create", "update", "patch", "delete"].map((verb) => `${verb} ${resources[0]!}`),
      ].sort(),
    );
  });
});

const source = `
apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata: { name: county, namespace: harvest }
spec:
  baseUrl: https://catalog.county.example.gov/oai
  metadataPrefix: iso19139
  schedule: "0 3 * * *"
  deletions: { onSourceRemoval: withdraw }
  validation: { xsd: schemas/iso19139.xsd, schematron: rules/geo-business-rules.sch }
`;

describe.skipIf(plane === undefined)(
  "the controller, with the account and the configuration of the installation",
  () => {
    /** A kubeconfig as the pod has it: a token of the account and nothing else. */
    async function kubeconfig(): Promise<string> {
      const token = (
        await kubectl(["-n", "harvest", "create", "token", "harvest-controller", "--duration=1h"])
      ).trim();
      const file = join(scratch, "kubeconfig");
      writeFileSync(file, kubeconfigText({ ...plane!, token }, "harvest"), { mode: 0o600 });
      return file;
    }

    async function installed(): Promise<Readonly<Record<string, unknown>>> {
      const list = JSON.parse(await kubectl(["-n", "harvest", "get", "configmaps", "-o", "json"])) as {
        items: readonly Manifest[];
      };
      const found = list.items.find(({ metadata }) => /^harvest-controller-config-/.test(metadata.name));
      return parse((found!["data"] as Readonly<Record<string, string>>)["controller.yaml"]!) as Readonly<
        Record<string, unknown>
      >;
    }

    function harvestSource(): Promise<Manifest> {
      return kubectl(["-n", "harvest", "get", "hsrc", "county", "-o", "json"]).then(
        (text) => JSON.parse(text) as Manifest,
      );
    }

    it(
      "does its whole work and is refused nothing, in pods that pass PodSecurity restricted",
      { timeout: 180_000 },
      async () => {
        const config = await installed();
        const { policyBundle } = config["harvester"] as { policyBundle: string };
        const controller = startController({
          kubeconfig: await kubeconfig(),
          namespace: "harvest",
          bundleName: policyBundle,
          config: {
            ...config,
            port: 0,
            leaderElection: { leaseSeconds: 6, renewSeconds: 4, retrySeconds: 1 },
          },
        });
        try {
          await kubectl(["apply", "--server-side", "-f", "-"], source);
          await kubectl(["-n", "harvest", "wait", "--for=condition=Ready", "hsrc/county", "--timeout=60s"]);
          const children = await kubectl([
            "-n",
            "harvest",
            "get",
            "cronjob,networkpolicy,configmap",
            "-l",
            "ingest.geoportal.io/source=county",
            "-o",
            "name",
          ]);
          expect(
            children
              .trim()
              .split("\n")
              .map((name) => name.replace(/-[0-9a-f]{10}$/, "")),
          ).toEqual([
            "cronjob.batch/harvest-county",
            "networkpolicy.networking.k8s.io/harvest-county",
            "configmap/harvest-county",
          ]);
          await kubectl([
            "-n",
            "harvest",
            "annotate",
            "hsrc",
            "county",
            "ingest.geoportal.io/requestedAt=now",
          ]);
          await until("a pod of the requested run is made", async () => {
            const pods = await kubectl([
              "-n",
              "harvest",
              "get",
              "pods",
              "-l",
              "ingest.geoportal.io/source=county",
              "-o",
              "name",
            ]);
            return pods.trim() === "" ? undefined : true;
          });
          await kubectl(["-n", "harvest", "delete", "cronjob", "harvest-county"]);
          await until("the CronJob is put back", async () =>
            (await plane!.kubectl(["-n", "harvest", "get", "cronjob", "harvest-county"])).code === 0
              ? true
              : undefined,
          );
          expect((await harvestSource()).metadata).toMatchObject({
            finalizers: ["ingest.geoportal.io/finalizer"],
          });
          await kubectl(["-n", "harvest", "delete", "hsrc", "county", "--wait=false"]);
          await until("the Job that withdraws is made", async () => {
            const jobs = await kubectl([
              "-n",
              "harvest",
              "get",
              "jobs",
              "-l",
              "ingest.geoportal.io/role=withdraw",
              "-o",
              "name",
            ]);
            return jobs.trim() === "" ? undefined : true;
          });
          const lease = await kubectl([
            "-n",
            "harvest",
            "get",
            "lease",
            "harvest-controller",
            "-o",
            "jsonpath={.spec.holderIdentity}",
          ]);
          expect(lease).not.toBe("");
          const events = await kubectl([
            "-n",
            "harvest",
            "get",
            "events",
            "--field-selector",
            "involvedObject.name=county",
            "-o",
            "name",
          ]);
          expect(events).not.toBe("");
          const refused = controller
            .lines()
            .filter((line) => /forbidden|may not|PodSecurity/i.test(JSON.stringify(line)));
          expect(refused).toEqual([]);
          const failed = await kubectl([
            "-n",
            "harvest",
            "get",
            "events",
            "-o",
            'jsonpath={range .items[*]}{.message}{"\\n"}{end}',
          ]);
          expect(failed).not.toMatch(/forbidden|violates PodSecurity/);
        } finally {
          await controller.stop();
        }
      },
    );

    it("is itself in a pod that was let in", async () => {
      const pods = JSON.parse(
        await kubectl([
          "-n",
          "harvest",
          "get",
          "pods",
          "-l",
          "app.kubernetes.io/name=harvest-controller",
          "-o",
          "json",
        ]),
      ) as { items: readonly object[] };
      expect(pods.items.length).toBe(1);
    });

    it("shares its namespace with no pod that is not restricted", async () => {
      const { code, stderr } = await plane!.kubectl([
        "-n",
        "harvest",
        "run",
        "lax",
        "--image=registry.example.org/x",
        "--dry-run=server",
      ]);
      expect({ code, said: /violates PodSecurity "restricted:latest"/.test(stderr) }).toEqual({
        code: 1,
        said: true,
      });
    });
  },
);

describe.skipIf(plane === undefined)("a cluster-wide installation", () => {
  const central = "system:serviceaccount:harvest-system:harvest-controller";

  beforeAll(() =>
    kubectl([
      "apply",
      "--server-side",
      "--force-conflicts",
      "-k",
      join(install, "overlays/high-availability"),
    ]),
  );

  it("lets the controller work in every namespace, with the same rights and no more", async () => {
    expect(await allowed(central, kinds, "geo")).toEqual(expected(false));
    expect(await allowed(central, kinds, "harvest-system")).toEqual(expected(true));
    expect(await allowed(central, clusterKinds)).toEqual([]);
  });

  it("leaves to the Git sync, where it is added, the making and deleting of sources", async () => {
    const { objects } = installations[1]!;
    const role = objects.find((object) => idOf(object) === "ClusterRole /harvest-git-sync");
    expect(role!["rules"]).toEqual([
      { apiGroups: ["ingest.geoportal.io"], resources: ["harvestsources"], verbs: ["create", "delete"] },
    ]);
    expect(
      await may(http!.send, central, {
        verb: "create",
        resource: "harvestsources.ingest.geoportal.io",
        namespace: "geo",
      }),
    ).toBe(false);
  });

  it("keeps one of two pods through a drain", async () => {
    const budget = JSON.parse(
      await kubectl(["-n", "harvest-system", "get", "pdb", "harvest-controller", "-o", "json"]),
    ) as Manifest;
    expect(budget["spec"]).toMatchObject({ minAvailable: 1 });
    const deployment = JSON.parse(
      await kubectl(["-n", "harvest-system", "get", "deployment", "harvest-controller", "-o", "json"]),
    ) as Manifest;
    expect(deployment["spec"]).toMatchObject({ replicas: 2 });
  });
});

describe.skipIf(plane === undefined)("what is checked in as built", () => {
  it.each(["namespaced", "cluster-wide", "high-availability"])(
    "is taken by the API server as it stands: %s",
    async (shape) => {
      const objects = manifestsIn(readFile(`manifests/install/rendered/${shape}.yaml`)).filter(
        ({ kind }) => kind !== "Namespace",
      );
      const text = objects.map((object) => JSON.stringify(object)).join("\n---\n");
      await kubectl(
        ["apply", "--server-side", "--force-conflicts", "--validate=strict", "--dry-run=server", "-f", "-"],
        text,
      );
    },
  );
});
