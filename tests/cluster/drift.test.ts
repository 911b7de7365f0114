/** Hand edits of sources that somebody delivers, under the whole controller: told, put back where it may, never a fight. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LiveSource } from "../../controller/object.js";
import { testCluster } from "../setup/cluster.js";
import { manifest, until, type Fields } from "../setup/controller-stage.js";
import {
  conditionOf,
  deliverer,
  openDriftStage,
  standsStill,
  type DriftStage,
} from "../setup/drift-stage.js";
import { fluxApply } from "../setup/flux-apply.js";
import { createRepository, manifestText, type TestRepository } from "../setup/git-repository.js";
import { serveRepository, type GitServer } from "../setup/git-server.js";

const cluster = await testCluster();
const flux = cluster === undefined ? undefined : await fluxApply();
let stage: DriftStage;

const asWritten = "0 */6 * * *";
const reverted = 'harvest_drift_total{action="revert"}';
const warned = 'harvest_drift_total{action="warn"}';

function childrenOf(name: string): readonly string[] {
  return [`cronjobs/harvest-${name}`, `networkpolicies/harvest-${name}`];
}

/** As a program does it, without the time kubectl takes. */
async function merge(name: string, change: object, manager = "bot"): Promise<void> {
  const path = `/apis/ingest.geoportal.io/v1/namespaces/${stage.namespace}/harvestsources/${name}`;
  const type = "application/merge-patch+json";
  expect(
    (await cluster!.http("PATCH", `${path}?fieldManager=${manager}`, { body: change, type })).status,
  ).toBe(200);
}

async function patch(name: string, type: string, change: object): Promise<void> {
  await stage.kubectl(["patch", "hsrc", name, `--type=${type}`, "-p", JSON.stringify(change)]);
}

async function applied(name: string, spec: Fields, ...how: string[]): Promise<void> {
  await stage.kubectl(["apply", ...how, "-f", "-"], manifest(name, spec));
}

/** As kubectl edit does it: the whole object, changed. */
async function replace(name: string, spec: Fields): Promise<void> {
  const object = JSON.parse(await stage.kubectl(["get", "hsrc", name, "-o", "json"])) as LiveSource;
  await stage.kubectl(["replace", "-f", "-"], { ...object, spec: { ...object.spec, ...spec } });
}

interface Edit {
  readonly name: string;
  readonly edit: (source: string) => Promise<unknown>;
  /** What event, condition and status say. */
  readonly field: string;
  readonly delivered?: string;
  readonly live?: string;
  readonly manager: string;
}

const edits: readonly Edit[] = [
  {
    name: "kubectl apply of another schedule",
    edit: (source) => applied(source, { schedule: "1 3 * * *" }),
    field: "spec.schedule",
    delivered: '"0 */6 * * *"',
    live: '"1 3 * * *"',
    manager: "kubectl-client-side-apply",
  },
  {
    name: "kubectl apply with sets",
    edit: (source) => applied(source, { sets: ["maps"] }),
    field: "spec.sets",
    live: '["maps"]',
    manager: "kubectl-client-side-apply",
  },
  {
    name: "kubectl apply --server-side by force, suspended",
    edit: (source) => applied(source, { suspend: true }, "--server-side", "--force-conflicts"),
    field: "spec.suspend",
    delivered: "false",
    live: "true",
    manager: "kubectl",
  },
  {
    name: "kubectl apply --server-side by force, with another address",
    edit: (source) =>
      applied(source, { baseUrl: "https://other.example.gov/oai" }, "--server-side", "--force-conflicts"),
    field: "spec.baseUrl",
    live: '"https://other.example.gov/oai"',
    manager: "kubectl",
  },
  {
    name: "kubectl patch (merge) of a ceiling",
    edit: (source) => patch(source, "merge", { spec: { limits: { maxRunSeconds: 60 } } }),
    field: "spec.limits.maxRunSeconds",
    delivered: "21600",
    live: "60",
    manager: "kubectl-patch",
  },
  {
    name: "kubectl patch (merge) to suspend",
    edit: (source) => patch(source, "merge", { spec: { suspend: true } }),
    field: "spec.suspend",
    delivered: "false",
    live: "true",
    manager: "kubectl-patch",
  },
  {
    name: "kubectl patch (JSON) that adds a set",
    edit: (source) => patch(source, "json", [{ op: "add", path: "/spec/sets", value: ["a", "b"] }]),
    field: "spec.sets",
    live: '["a","b"]',
    manager: "kubectl-patch",
  },
  {
    name: "kubectl replace with another format",
    edit: (source) => replace(source, { metadataPrefix: "marc21" }),
    field: "spec.metadataPrefix",
    delivered: '"oai_dc"',
    live: '"marc21"',
    manager: "kubectl-replace",
  },
  {
    name: "kubectl replace with another time zone",
    edit: (source) => replace(source, { timeZone: "Europe/Berlin" }),
    field: "spec.timeZone",
    delivered: '"Etc/UTC"',
    live: '"Europe/Berlin"',
    manager: "kubectl-replace",
  },
  {
    name: "a full update by a program",
    edit: (source) => stage.update(source, ({ spec }) => (spec["schedule"] = "2 3 * * *")),
    field: "spec.schedule",
    live: '"2 3 * * *"',
    manager: "my-script",
  },
  {
    name: "a full update by a program that takes the traces of the delivery along",
    edit: (source) =>
      stage.update(source, ({ spec, metadata }) => {
        spec["suspend"] = true;
        Object.assign(metadata, { managedFields: [{}], annotations: {}, labels: {} });
      }),
    field: "spec.suspend",
    live: "true",
    // The server forgets who it was.
    manager: "",
  },
  {
    name: "an edit that makes it unusable",
    edit: (source) => patch(source, "merge", { spec: { validation: { schematron: ["no-such.sch"] } } }),
    field: "spec.validation",
    manager: "kubectl-patch",
  },
];

const edited = edits.map((_, i) => `edited-${String(i)}`);

async function isAsWritten(name: string, spec: LiveSource["spec"]): Promise<LiveSource> {
  return stage.sourceIs(
    "is as it was delivered",
    name,
    (live) =>
      JSON.stringify(live.spec) === JSON.stringify(spec) &&
      live.status?.drift === undefined &&
      conditionOf(live, "Drifted")?.status === "False" &&
      live.status?.observedGeneration === live.metadata.generation,
  );
}

describe.skipIf(cluster === undefined)("a source edited by hand", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    stage = await openDriftStage(cluster!);
    await stage.start();
    await stage.deliver([...edited, "warned", "off", "quiet", "again", "next"]);
  }, 120_000);
  afterAll(async () => {
    await stage?.stop();
    await cluster?.remove();
  });

  describe("where drift is reverted", () => {
    it.each(edits.map((edit, i) => ({ ...edit, source: edited[i]! })))(
      "is as it was delivered again after $name",
      async ({ edit, field, live, manager, source }) => {
        const { spec } = await stage.source(source);
        const [counted, from] = [await stage.metric(reverted), stage.proxy.log.length];
        await edit(source);
        await stage.told(source, "DriftReverted", [field, manager, ...(live === undefined ? [] : [live])]);
        const after = await isAsWritten(source, spec);
        expect(conditionOf(after, "Ready")?.status).toBe("True");
        expect(after.status?.delivery?.engine).toBe("managers");
        expect(await stage.metric(reverted)).toBe(counted + 1);
        const writes = stage.requests(source, from).filter(({ write }) => write);
        // The revert, and the status before and after; of an unusable one the children's way back as well.
        expect(writes.length, writes.map(({ verb, path }) => `${verb} ${path}`).join("\n")).toBeLessThan(6);
      },
    );

    it("stands still afterwards, with the children it had", async () => {
      await stage.converged();
      await standsStill(stage, [...edited, ...edited.flatMap(childrenOf)]);
    });

    it("is put back as often as somebody edits it, at a price", async () => {
      const [counted, from] = [await stage.metric(reverted), stage.proxy.log.length];
      const { spec } = await stage.source("again");
      for (let i = 0; i < 20; i += 1) {
        await merge("again", { spec: { schedule: `${String(i)} 5 * * *` } });
        await stage.sourceIs("is put back", "again", (live) => live.spec.schedule === asWritten);
      }
      await isAsWritten("again", spec);
      expect(await stage.metric(reverted)).toBe(counted + 20);
      expect(stage.requests("again", from).length).toBeLessThanOrEqual(20 * 7);
    });

    it("takes the next delivery after a revert, without force", async () => {
      await patch("next", "merge", { spec: { suspend: true } });
      await stage.sourceIs("is put back", "next", (live) => !live.spec.suspend);
      await stage.deliver(["next"], { schedule: "9 9 * * *" });
      expect((await stage.source("next")).spec.schedule).toBe("9 9 * * *");
    });

    it("never takes for drift what is no spec: labels, brakes, requests, status, the same again", async () => {
      const { spec } = await stage.source("quiet");
      const told = await Promise.all([stage.metric(reverted), stage.metric(warned)]);
      await stage.kubectl(["label", "hsrc", "quiet", "team=maps"]);
      await stage.kubectl([
        ...["annotate", "hsrc", "quiet", "note=mine"],
        ...["ingest.geoportal.io/paused=outage", "ingest.geoportal.io/requestedAt=now"],
      ]);
      const status = { status: { summary: "Forged", drift: { manager: "nobody" } } };
      await stage.kubectl([
        ...["patch", "hsrc", "quiet", "--subresource=status", "--type=merge"],
        ...["-p", JSON.stringify(status)],
      ]);
      await stage.update("quiet", () => undefined);
      await applied("quiet", {}, "--server-side", "--force-conflicts", "--field-manager=other");
      const paused = await stage.sourceIs(
        "is paused, and says nothing else",
        "quiet",
        (live) => live.status?.summary === "Paused" && live.status.drift === undefined,
      );
      expect(conditionOf(paused, "Drifted")?.status).toBe("False");
      await stage.kubectl(["annotate", "hsrc", "quiet", "ingest.geoportal.io/paused-"]);
      await stage.sourceIs("runs again", "quiet", (live) => live.status?.summary !== "Paused");
      expect((await stage.source("quiet")).spec).toEqual(spec);
      expect(await stage.events("quiet", "DriftReverted")).toEqual([]);
      expect(await Promise.all([stage.metric(reverted), stage.metric(warned)])).toEqual(told);
    });

    it("stays as somebody made it where its annotation says warn, and tells who, what and when", async () => {
      const counted = await stage.metric(warned);
      await stage.kubectl(["annotate", "hsrc", "warned", "ingest.geoportal.io/drift=warn"]);
      await patch("warned", "merge", { spec: { schedule: "3 3 * * *" } });
      const drifted = await stage.sourceIs(
        "says that it drifted",
        "warned",
        (live) => live.status?.drift !== undefined,
      );
      expect(drifted.status?.drift).toMatchObject({
        manager: "kubectl-patch",
        time: expect.stringMatching(/^20\d\d-\d\d-\d\dT/) as string,
        fields: [{ field: "spec.schedule", delivered: '"0 */6 * * *"', live: '"3 3 * * *"' }],
      });
      expect(conditionOf(drifted, "Drifted")).toMatchObject({
        status: "True",
        reason: "SpecChanged",
        message: expect.stringContaining('spec.schedule: "0 */6 * * *" → "3 3 * * *"') as string,
      });
      await stage.told("warned", "DriftDetected", ["spec.schedule", "kubectl-patch"]);
      expect(await stage.metric(warned)).toBe(counted + 1);
      // What stands is harvested; what was delivered is not forgotten.
      await stage.sourceIs(
        "works as it stands",
        "warned",
        (live) => live.status?.installedSchedule === "3 3 * * *",
      );
      await stage.kubectl(["annotate", "hsrc", "warned", "ingest.geoportal.io/drift-"]);
      await stage.told("warned", "DriftReverted", ["spec.schedule", "kubectl-patch"]);
      expect((await stage.source("warned")).spec.schedule).toBe(asWritten);
    });

    it("is let alone without a word where its annotation says off", async () => {
      await stage.kubectl(["annotate", "hsrc", "off", "ingest.geoportal.io/drift=off"]);
      await patch("off", "merge", { spec: { schedule: "4 3 * * *" } });
      const live = await stage.sourceIs(
        "works as it stands",
        "off",
        ({ status }) => status?.installedSchedule === "4 3 * * *",
      );
      expect(live.status?.drift).toBeUndefined();
      expect(conditionOf(live, "Drifted")).toBeUndefined();
      expect(await stage.events("off", "DriftDetected")).toEqual([]);
    });
  });

  describe.skipIf(flux === undefined)("that Flux delivers", () => {
    const text = stringify(manifest("by-flux"));

    async function sync(): Promise<readonly string[]> {
      const { code, changes, stderr } = await flux!(text, cluster!);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return changes.map(({ action }) => action);
    }

    async function untouched(): Promise<LiveSource> {
      return stage.sourceIs(
        "is as Flux delivered it",
        "by-flux",
        (live) =>
          live.status?.delivery?.engine === "flux" &&
          live.status.observedGeneration === live.metadata.generation &&
          conditionOf(live, "Drifted")?.status === "False",
      );
    }

    it("is no drift to us when Flux applies, nor to Flux when we write", async () => {
      expect(await sync()).toEqual(["created"]);
      const { status } = await untouched();
      expect(status?.delivery?.manager).toBe("kustomize-controller");
      expect(await sync()).toEqual(["unchanged"]);
      // As harvestctl pause and run-now do.
      const ask = { "ingest.geoportal.io/requestedAt": "now", "ingest.geoportal.io/paused": "outage" };
      await merge("by-flux", { metadata: { annotations: ask } }, "harvestctl");
      await stage.sourceIs(
        "is paused",
        "by-flux",
        ({ status }) => status?.summary === "Paused" && status.lastHandledRequestedAt === "now",
      );
      expect(await sync()).toEqual(["unchanged"]);
      expect((await stage.source("by-flux")).metadata.annotations).toMatchObject(ask);
      await untouched();
    });

    it("loses the annotations that kubectl sets under its own name, and keeps those set under another", async () => {
      const annotate = ["annotate", "hsrc", "by-flux"];
      await stage.kubectl([...annotate, "ingest.geoportal.io/drift=warn"]);
      await stage.kubectl([...annotate, "note=kept", "--field-manager=harvestctl"]);
      expect(await sync()).toEqual(["configured"]);
      const { annotations } = (await stage.source("by-flux")).metadata;
      expect(annotations).toMatchObject({ note: "kept", "ingest.geoportal.io/paused": "outage" });
      expect(annotations).not.toHaveProperty("ingest.geoportal.io/drift");
    });

    it.each([
      ["suspended", { suspend: true }, "spec.suspend"],
      ["given sets", { sets: ["a"] }, "spec.sets"],
    ])("is only told when somebody has it %s, and Flux puts it back", async (_what, spec, field) => {
      const counted = await stage.metric(reverted);
      await patch("by-flux", "merge", { spec });
      const drifted = await stage.sourceIs(
        "says that it drifted",
        "by-flux",
        (live) => live.status?.drift !== undefined,
      );
      expect(drifted.status).toMatchObject({
        delivery: { engine: "flux", manager: "kustomize-controller" },
        drift: { manager: "kubectl-patch", fields: [{ field }] },
      });
      expect(drifted.spec).toMatchObject(spec);
      await standsStill(stage, ["by-flux", ...childrenOf("by-flux")]);
      expect(await sync()).toEqual(["configured"]);
      await untouched();
      await stage.told("by-flux", "DriftCleared", []);
      expect(await sync()).toEqual(["unchanged"]);
      expect(await stage.metric(reverted)).toBe(counted);
    });
  });

  it("is only told when Argo CD delivers it, which puts it back itself", async () => {
    const deliver = ["apply", "--server-side", "--force-conflicts", "--field-manager=argocd-controller"];
    const tracked = {
      "argocd.argoproj.io/tracking-id": "sources:ingest.geoportal.io/HarvestSource:x/by-argo",
    };
    const object = manifest("by-argo", {}, { annotations: tracked });
    await stage.kubectl([...deliver, "-f", "-"], object);
    await stage.sourceIs(
      "is known as delivered",
      "by-argo",
      (live) =>
        live.status?.delivery?.engine === "argocd" && live.status.delivery.configMapName !== undefined,
    );
    const counted = await stage.metric(reverted);
    await patch("by-argo", "merge", { spec: { suspend: true } });
    const drifted = await stage.sourceIs(
      "says that it drifted",
      "by-argo",
      (live) => live.status?.drift !== undefined,
    );
    expect(drifted.status?.drift).toMatchObject({
      manager: "kubectl-patch",
      fields: [{ field: "spec.suspend", delivered: "false", live: "true" }],
    });
    await standsStill(stage, ["by-argo", ...childrenOf("by-argo")]);
    expect((await stage.source("by-argo")).spec.suspend).toBe(true);
    await stage.kubectl([...deliver, "-f", "-"], object);
    await stage.sourceIs(
      "is as it was delivered",
      "by-argo",
      (live) => !live.spec.suspend && live.status?.drift === undefined,
    );
    expect(await stage.metric(reverted)).toBe(counted);
  });

  describe("where the configuration says warn", () => {
    beforeAll(() => stage.start({ drift: { mode: "warn", deliveryManagers: [deliverer] } }));

    it("stays, unless its annotation says revert", async () => {
      const [one = "", two = ""] = edited;
      await patch(one, "merge", { spec: { suspend: true } });
      await stage.sourceIs("says that it drifted", one, (live) => live.status?.drift !== undefined);
      expect((await stage.source(one)).spec.suspend).toBe(true);
      await stage.kubectl(["annotate", "hsrc", two, "ingest.geoportal.io/drift=revert"]);
      const { spec } = await stage.source(two);
      await patch(two, "merge", { spec: { suspend: true } });
      await isAsWritten(two, spec);
    });
  });

  describe("that the controller's own Git sync delivers", () => {
    let repository: TestRepository;
    let server: GitServer;
    let work: string;

    function commit(files: Readonly<Record<string, string | undefined>>): string {
      return `main@sha1:${repository.commit(files)}`;
    }

    async function delivered(name: string, revision: string): Promise<LiveSource> {
      return stage.sourceIs(
        `is as ${revision}`,
        name,
        (live) =>
          live.status?.delivery?.engine === "git-sync" &&
          live.status.delivery.revision === revision &&
          live.status.delivery.configMapName !== undefined &&
          conditionOf(live, "Ready")?.status === "True",
      );
    }

    beforeAll(async () => {
      repository = createRepository();
      server = await serveRepository(repository);
      work = mkdtempSync(join(tmpdir(), "work-"));
    });
    afterAll(async () => {
      await server.stop();
      repository.remove();
      rmSync(work, { recursive: true, force: true });
    });

    it("comes, is put back at once when somebody edits it, and goes with its file", async () => {
      const files = Object.fromEntries(
        ["git-a", "git-b"].map((name) => [`s/${name}.yaml`, manifestText(name)]),
      );
      const first = commit(files);
      const controller = await stage.start({
        gitSync: {
          url: server.url,
          branch: "main",
          path: "s",
          intervalSeconds: 10,
          namespaces: [stage.namespace],
          secretDirectory: server.secretDirectory,
          workDirectory: work,
        },
      });
      const { spec } = await delivered("git-a", first);
      await delivered("git-b", first);
      const passes = controller
        .lines()
        .filter(({ message }) => String(message).startsWith("Git sync")).length;
      await patch("git-a", "merge", { spec: { suspend: true, schedule: "1 1 1 1 *" } });
      await stage.told("git-a", "DriftReverted", ["spec.schedule", "spec.suspend", "kubectl-patch", first]);
      await isAsWritten("git-a", spec);
      // Not by the next pass.
      const later = controller.lines().filter(({ message }) => String(message).startsWith("Git sync")).length;
      expect(later - passes).toBeLessThanOrEqual(1);

      const second = commit({
        "s/git-a.yaml": manifestText("git-a", { schedule: "7 7 * * *" }),
        "s/git-b.yaml": undefined,
      });
      const changed = await delivered("git-a", second);
      expect(changed.spec.schedule).toBe("7 7 * * *");
      expect(conditionOf(changed, "Drifted")?.status).toBe("False");
      await until("git-b is gone", async () => (await stage.read("git-b")) === undefined);
      await until("and what it had", async () => (await stage.read("cronjobs/harvest-git-b")) === undefined);
      // The sources of others are none of its business.
      expect(await stage.read("quiet")).toBeDefined();
    });
  });
});
