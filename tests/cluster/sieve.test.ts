/**
 * The three perturbations that find what controllers do wrong (Sieve, OSDI 2022): a death between any two writes, a view of
 * the past, and states in between that were never seen. After each: as the sources say, and nothing twice.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contentHash } from "../../controller/drift/content-hash.js";
import type { LiveSource } from "../../controller/object.js";
import { wordOf, type ApiWeather, type Passing } from "../setup/api-proxy.js";
import type { Plural } from "../setup/cluster-paths.js";
import { startControlPlane } from "../setup/control-plane.js";
import { installCrd, openStage, until, type ControllerStage } from "../setup/controller-stage.js";
import { atRest, killAtEachWrite, looksOf } from "../setup/lives.js";

const plane = await startControlPlane({ parts: "api" });
const roleLabel = "ingest.geoportal.io/role";
const requestedAt = "ingest.geoportal.io/requestedAt";
let stage: ControllerStage;

beforeAll(async () => {
  if (plane !== undefined) await installCrd(plane);
});
beforeEach(async () => {
  if (plane !== undefined) stage = await openStage(plane);
});
afterEach(() => stage.stop());
afterAll(() => plane?.stop());

/** Sources that are in place, and no controller. */
async function settle(...names: readonly string[]): Promise<void> {
  for (const name of names) await stage.create(name);
  await undisturbed();
}

async function undisturbed(): Promise<void> {
  await stage.dropLease();
  const controller = stage.start();
  await controller.said("Leading.");
  await stage.converged();
  await controller.stop();
}

async function jobNames(): Promise<readonly string[]> {
  return (await stage.list("jobs")).map(({ metadata }) => metadata.name);
}

describe.skipIf(plane === undefined)(
  "a controller killed at each of its writes",
  { timeout: 240_000 },
  () => {
    it("puts a new source in place, then its new spec, then the run that was asked for, each once", async () => {
      const moments = ["before", "after"] as const;
      await stage.create("a");
      expect(await killAtEachWrite(stage, moments)).toEqual([
        "apply configmaps/harvest-a-#",
        "apply networkpolicies/harvest-a",
        "apply cronjobs/harvest-a",
        "apply harvestsources/a/status",
      ]);
      await stage.edit("a", { spec: { schedule: "5 * * * *", baseUrl: "https://b.example.gov:8443/oai" } });
      expect(await killAtEachWrite(stage, moments)).toEqual([
        "apply configmaps/harvest-a-#",
        "apply networkpolicies/harvest-a",
        "apply cronjobs/harvest-a",
        "delete configmaps/harvest-a-#",
        "apply harvestsources/a/status",
      ]);
      await stage.ask("a", "now");
      expect(await killAtEachWrite(stage, moments)).toEqual([
        "create jobs/harvest-a-#",
        "apply harvestsources/a/status",
      ]);
      await stage.converged();
      expect(await jobNames()).toHaveLength(1);
    });

    it("puts back what was changed by hand: added fields, other values, a child that is gone, a ConfigMap of other data", async () => {
      await settle("a");
      await stage.edit("cronjobs/harvest-a", { spec: { suspend: true, successfulJobsHistoryLimit: 9 } });
      await stage.edit("cronjobs/harvest-a", added());
      await stage.remove("networkpolicies/harvest-a");
      const [configMap] = (await stage.list("configmaps")).filter(({ metadata }) => metadata.ownerReferences);
      const { name } = configMap!.metadata;
      await stage.remove(`configmaps/${name}`);
      await stage.restore(
        { ...configMap!, immutable: true, data: { "source.yaml": "kind: Nothing\n" } },
        "configmaps",
      );
      const writes = await killAtEachWrite(stage);
      expect(writes).toEqual([
        "delete configmaps/harvest-a-#",
        "apply configmaps/harvest-a-#",
        "apply networkpolicies/harvest-a",
        "patch cronjobs/harvest-a",
        "apply cronjobs/harvest-a",
      ]);
      await stage.converged();
    });

    it("withdraws the records of a removed source once, and lets it go", async () => {
      await settle("a");
      await stage.edit("a", { spec: { deletions: { onSourceRemoval: "withdraw" } } });
      expect(await killAtEachWrite(stage)).toEqual([
        "patch harvestsources/a",
        "apply configmaps/harvest-a-#",
        "apply cronjobs/harvest-a",
        "delete configmaps/harvest-a-#",
        "apply harvestsources/a/status",
      ]);
      await stage.remove("a");
      const writes = await killAtEachWrite(stage);
      expect(writes).toEqual([
        "delete cronjobs/harvest-a",
        "apply networkpolicies/harvest-a",
        "create jobs/harvest-a-#",
        "apply harvestsources/a/status",
      ]);
      const [job] = await jobNames();
      await stage.endJob(job!);
      expect(await killAtEachWrite(stage)).toEqual(["patch harvestsources/a"]);
      expect(await stage.read("a")).toBeUndefined();
      expect(await jobNames()).toEqual([job]);
    });

    it("puts back what was delivered, and says so", async () => {
      const spec = { baseUrl: "https://a.example.gov/oai", metadataPrefix: "oai_dc", schedule: "0 3 * * *" };
      const hash = contentHash(spec as LiveSource["spec"]);
      await stage.create("a", spec, { annotations: { "ingest.geoportal.io/content-hash": hash } });
      await undisturbed();
      await stage.edit("a", { spec: { schedule: "1 1 * * *", metadataPrefix: "iso19139" } });
      const writes = await killAtEachWrite(stage);
      expect(writes).toEqual(["apply harvestsources/a", "apply harvestsources/a/status"]);
      await stage.converged();
      expect((await stage.read("a"))!["spec"]).toMatchObject(spec);
    });

    it("puts the brake on a source that cannot be rendered any more", async () => {
      await settle("a");
      await stage.edit("a", {
        spec: { concurrency: { maxRequests: 50 } },
        metadata: { annotations: { "ingest.geoportal.io/paused": "too fast" } },
      });
      expect(await killAtEachWrite(stage)).toEqual([
        "patch cronjobs/harvest-a",
        "apply harvestsources/a/status",
      ]);
      expect((await stage.read("cronjobs/harvest-a"))!["spec"]).toMatchObject({ suspend: true });
    });
  },
);

/** The lists as a controller would get them now, to be told again later; what came after comes with the thaw. */
async function past(...plurals: readonly Plural[]): Promise<{ readonly weather: ApiWeather; thaw(): void }> {
  const isOld = ({ resource }: Passing): boolean => plurals.some((plural) => resource.startsWith(plural));
  const paths = stage.proxy.log.filter((passing) => passing.verb === "list" && isOld(passing));
  const lists = new Map<string, string>();
  for (const { path } of paths) lists.set(path, (await stage.http("GET", path)).text);
  let thaw: () => void = () => undefined;
  const thawed = new Promise<void>((resolve) => (thaw = resolve));
  return {
    thaw,
    weather: {
      before: (passing) => {
        const body = passing.verb === "list" ? lists.get(passing.path) : undefined;
        return body === undefined ? undefined : { status: 200, body };
      },
      line: async (line, passing) => {
        if (isOld(passing)) await thawed;
        return line;
      },
    },
  };
}

describe.skipIf(plane === undefined)("a controller that sees the past", { timeout: 240_000 }, () => {
  /** Everything that can happen to a source, with a leader that sees it. */
  async function history(): Promise<void> {
    await stage.ask("asked", "once");
    await stage.edit("edited", { spec: { schedule: "5 5 * * *" } });
    await stage.edit("braked", { metadata: { annotations: { "ingest.geoportal.io/paused": "a move" } } });
    for (const name of ["gone", "again", "withdrawn"]) await stage.remove(name);
    await stage.create("again", { schedule: "7 7 * * *" });
    const { metadata } = await until("the withdrawal began", async () =>
      (await stage.list("jobs")).find(({ metadata: { labels } }) => labels?.[roleLabel] === "withdraw"),
    );
    await stage.endJob(metadata.name);
    await until("it is gone", async () => (await stage.read("withdrawn")) === undefined);
    await stage.create("withdrawn", { deletions: { onSourceRemoval: "withdraw" } });
    await stage.converged();
    // Without a trace but in the status.
    for (const name of await jobNames()) await stage.remove(`jobs/${name}`);
    await until("the run is seen to be gone", async () => {
      const { status } = (await stage.read("asked")) as LiveSource;
      return status?.summary !== "Running";
    });
    await stage.collect();
    await stage.converged();
  }

  it.each([
    { what: "the sources", plurals: ["harvestsources"] as const },
    {
      what: "everything",
      plurals: ["harvestsources", "cronjobs", "jobs", "networkpolicies", "configmaps"] as const,
    },
  ])("changes nothing because of it: $what as before a long history", async ({ what, plurals }) => {
    const leader = stage.start();
    for (const name of ["asked", "edited", "braked", "gone", "again"]) await stage.create(name);
    await stage.create("withdrawn", { deletions: { onSourceRemoval: "withdraw" } });
    await stage.converged();
    const view = await past(...plurals);
    await history();
    await leader.stop();
    const before = await versions();
    const from = stage.proxy.log.length;
    stage.proxy.weather = view.weather;
    const late = stage.start({ identity: "late" });
    await until("it has looked at everything", () => atRest(late, stage));
    const looks = await looksOf(late);
    // Those of which it found out that its view is old it looks at again, after a second.
    if (what === "the sources")
      await until("it has looked again", async () => (await looksOf(late)) >= looks + 3);
    expect(await versions()).toEqual(before);
    view.thaw();
    await until("it has looked at what it is told now", async () => (await looksOf(late)) >= looks + 5);
    await until("it is at rest", () => atRest(late, stage));
    expect(await versions()).toEqual(before);
    const writes = stage.proxy.log.filter(({ write, number }) => write && number > from);
    // Late news of children may make it write once more what is there; old news of sources alone may not.
    if (what === "the sources") expect(writes.map(wordOf)).toEqual([]);
  });

  /** Every object and its version: the server gives no new one for a write that changes nothing. */
  async function versions(): Promise<readonly string[]> {
    const kinds = ["harvestsources", "cronjobs", "jobs", "networkpolicies", "configmaps"] as const;
    const all = await Promise.all(kinds.map((plural) => stage.list(plural)));
    return all.flat().map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion ?? ""}`);
  }
});

describe.skipIf(plane === undefined)(
  "a controller that missed what was in between",
  { timeout: 240_000 },
  () => {
    /** The garbage collector is as slow or as quick as it likes. */
    it.each(["before it looks again", "after it looked again", "never"])(
      "children of a source that went and came are its own; the old ones are collected %s",
      async (collected) => {
        const controller = stage.start();
        for (const name of ["same", "other", "twice", "waits", "braked", "keeps"]) await stage.create(name);
        await stage.converged();
        await blind(async () => {
          for (const name of ["same", "other", "twice"]) await stage.remove(name);
          await stage.create("same");
          await stage.create("other", {
            schedule: "5 5 * * *",
            baseUrl: "https://other.example.gov:8443/oai",
          });
          await stage.create("twice", { schedule: "1 1 * * *" });
          await stage.edit("twice", { spec: { schedule: "2 2 * * *" } });
          await stage.remove("twice");
          await stage.create("twice", { schedule: "3 3 * * *" });
          await stage.create("never");
          await stage.remove("never");
          for (const value of ["1", "2", "3"]) await stage.ask("waits", value);
          await pause("braked", "a moment");
          await pause("braked", null);
          await stage.edit("keeps", { spec: { deletions: { onSourceRemoval: "withdraw" } } });
          await stage.edit("keeps", { spec: { deletions: { onSourceRemoval: "keep" } } });
          if (collected === "before it looks again") await stage.collect();
        });
        await stage.converged();
        if (collected === "after it looked again") {
          // Earlier specs went with their sources; whatever has a name that lives on has a new owner.
          const old = await stage.collect();
          expect(old.filter((place) => !place.startsWith("configmaps/"))).toEqual([]);
          await stage.converged();
        }
        const asked = (await stage.list("jobs")).map(({ metadata }) => metadata.annotations?.[requestedAt]);
        expect(asked).toEqual(["3"]);
        expect((await stage.list("cronjobs")).map(({ metadata }) => metadata.name)).not.toContain(
          "harvest-never",
        );
        expect(controller.lines().filter(({ level }) => level === "error")).toEqual([]);
      },
    );
  },
);

async function pause(name: string, reason: string | null): Promise<void> {
  await stage.edit(name, { metadata: { annotations: { "ingest.geoportal.io/paused": reason } } });
}

/** Nothing reaches the controller while it is done, and afterwards it must list: the server says that the past is forgotten. */
async function blind(act: () => Promise<void>): Promise<void> {
  stage.proxy.weather = {
    before: ({ verb, resource }) =>
      /^(list|watch)$/.test(verb) && !resource.startsWith("leases.")
        ? {
            status: 410,
            body: JSON.stringify({ kind: "Status", status: "Failure", reason: "Expired", code: 410 }),
          }
        : undefined,
  };
  for (const watch of stage.proxy.watches()) watch.reset();
  await act();
  stage.proxy.weather = {};
}

/** What an apply alone would leave in place: fields of which the rendered object says nothing. */
function added(): object {
  return {
    spec: {
      jobTemplate: { spec: { template: { spec: { hostNetwork: true, nodeSelector: { disk: "fast" } } } } },
    },
  };
}
