/** The own Git sync: from a real repository into a real API server. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { createApi } from "../../controller/cluster/client.js";
import { loadConnection } from "../../controller/cluster/connection.js";
import { contentHash } from "../../controller/drift/content-hash.js";
import { recogniseDelivery } from "../../controller/drift/recognise-delivery.js";
import { revertObject } from "../../controller/drift/revert-object.js";
import { sourceDrift } from "../../controller/drift/source-drift.js";
import type { GitSyncSettings } from "../../controller/git-sync/git-sync-settings.js";
import { runGitSync } from "../../controller/git-sync/git-sync.js";
import { syncOnce, type GitSyncParts } from "../../controller/git-sync/sync-once.js";
import type { SyncResult } from "../../controller/git-sync/sync-result.js";
import { gitManager } from "../../controller/names.js";
import type { KubeObject, LiveSource } from "../../controller/object.js";
import { resources } from "../../controller/resources.js";
import { testCluster } from "../setup/cluster.js";
import { createRepository, manifestText, type TestRepository } from "../setup/git-repository.js";

const cluster = await testCluster();
const namespace = cluster?.namespace ?? "";
const connection =
  cluster === undefined ? undefined : loadConnection({ kubeconfig: cluster.kubeconfig, environment: {} });
let writes: string[] = [];
const api =
  connection === undefined
    ? undefined
    : createApi(connection, {
        observeRequest: ({ verb, resource }) => {
          if (!["get", "list"].includes(verb)) writes.push(`${verb} ${resource}`);
        },
      });
const never = new AbortController().signal;
const revisionName = "ingest.geoportal.io/git-revision";
const drift = { mode: "revert", deliveryManagers: [] } as const;

let repository: TestRepository;
let work: string;

function parts(more: Partial<GitSyncSettings> = {}): GitSyncParts {
  return {
    api: api!,
    namespace,
    settings: {
      url: repository.url,
      reference: { kind: "branch", name: "main" },
      path: "sources",
      intervalSeconds: 60,
      namespaces: [namespace],
      maxDeletePercent: 20,
      workDirectory: work,
      allowFile: true,
      ...more,
    },
    judge: { contentHash, engineOf: (live) => recogniseDelivery(live, drift)?.engine },
    now: () => new Date("2026-12-01T02:00:00Z"),
  };
}

const five = Object.fromEntries(
  ["a", "b", "c", "d", "e"].map((name) => [`sources/${name}.yaml`, manifestText(name)]),
);

async function kubectl(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cluster!.kubectl(args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

async function get(name: string): Promise<LiveSource | undefined> {
  return (await api!.get(resources.harvestSource, `${namespace}/${name}`)) as LiveSource | undefined;
}

async function present(): Promise<string[]> {
  const { items } = await api!.list(resources.harvestSource, { namespace });
  return items.map(({ metadata }) => metadata.name);
}

async function inventory(): Promise<Readonly<Record<string, string>>> {
  const found: KubeObject | undefined = await api!.get(
    resources.configMap,
    `${namespace}/harvest-gitops-inventory`,
  );
  return (found?.["data"] ?? {}) as Record<string, string>;
}

function counts(result: SyncResult) {
  return result.kind === "synced"
    ? { applied: result.applied.length, pruned: result.pruned.length, unchanged: result.unchanged }
    : result;
}

describe.runIf(cluster !== undefined)("git sync", () => {
  beforeEach(() => {
    repository = createRepository();
    work = mkdtempSync(join(tmpdir(), "work-"));
    writes = [];
  });
  afterEach(async () => {
    repository.remove();
    rmSync(work, { recursive: true, force: true });
    await kubectl("delete", "hsrc", "--all", "--wait=true");
    await kubectl("delete", "configmap", "harvest-gitops-inventory", "--ignore-not-found");
  });
  afterAll(async () => {
    await connection?.close();
    await cluster?.remove();
  });

  it("applies what Git says, is quiet when nothing changed, and follows a change", async () => {
    const first = repository.commit(five);
    expect(counts(await syncOnce(parts(), never))).toEqual({ applied: 5, pruned: 0, unchanged: 0 });
    const a = await get("a");
    expect(a?.metadata.annotations).toEqual({
      "ingest.geoportal.io/content-hash": contentHash(a!.spec),
      [revisionName]: `main@sha1:${first}`,
    });
    expect(sourceDrift({ live: a!, settings: drift, now: new Date() })).toMatchObject({
      kind: "delivered",
      delivery: { engine: "git-sync", manager: "harvest-gitops", revision: `main@sha1:${first}` },
    });
    expect(await inventory()).toMatchObject({
      revision: `main@sha1:${first}`,
      changeTime: "2026-12-01T02:00:00Z",
    });

    expect(writes.filter((write) => write === "patch harvestsources.ingest.geoportal.io")).toHaveLength(10);
    writes = [];
    expect(counts(await syncOnce(parts(), never))).toEqual({ applied: 0, pruned: 0, unchanged: 5 });
    expect(writes).toEqual([]);

    const second = repository.commit({ "sources/a.yaml": manifestText("a", { schedule: "5 * * * *" }) });
    expect(counts(await syncOnce(parts(), never))).toEqual({ applied: 1, pruned: 0, unchanged: 4 });
    expect((await get("a"))?.spec.schedule).toBe("5 * * * *");
    expect((await get("a"))?.metadata.annotations?.[revisionName]).toBe(`main@sha1:${second}`);
    expect((await get("b"))?.metadata.annotations?.[revisionName]).toBe(`main@sha1:${first}`);
  });

  const edits: { name: string; edit: (name: string) => Promise<unknown> }[] = [
    {
      name: "kubectl patch",
      edit: (name) =>
        kubectl("patch", "hsrc", name, "--type=merge", "-p", '{"spec":{"suspend":true,"sets":["water"]}}'),
    },
    { name: "kubectl delete", edit: (name) => kubectl("delete", "hsrc", name) },
    {
      name: "kubectl apply by another, by force",
      edit: (name) =>
        cluster!.kubectl(["apply", "--server-side", "--force-conflicts", "--field-manager=me", "-f", "-"], {
          input: manifestText(name, { schedule: "@daily" }),
        }),
    },
    {
      name: "kubectl apply",
      edit: (name) =>
        cluster!.kubectl(["apply", "-f", "-"], { input: manifestText(name, { schedule: "@daily" }) }),
    },
    {
      name: "kubectl annotate, of the stamp",
      edit: (name) => kubectl("annotate", "hsrc", name, `${revisionName}-`),
    },
  ];
  it.each(edits)("puts back by the next pass what was changed by $name", async ({ edit }) => {
    repository.commit(five);
    await syncOnce(parts(), never);
    const before = (await get("a"))!;
    await edit("a");
    await syncOnce(parts(), never);
    const after = (await get("a"))!;
    expect(after.spec).toEqual(before.spec);
    expect(after.metadata.annotations).toMatchObject(before.metadata.annotations!);
    expect(counts(await syncOnce(parts(), never))).toEqual({ applied: 0, pruned: 0, unchanged: 5 });
  });

  it("leaves the brake, a run asked for, and labels of others", async () => {
    repository.commit(five);
    await syncOnce(parts(), never);
    await kubectl(
      "annotate",
      "hsrc",
      "a",
      "ingest.geoportal.io/paused=server move",
      "ingest.geoportal.io/requestedAt=1",
    );
    await kubectl("label", "hsrc", "a", "x=y");
    writes = [];
    expect(counts(await syncOnce(parts(), never))).toEqual({ applied: 0, pruned: 0, unchanged: 5 });
    expect(writes).toEqual([]);
    expect((await get("a"))?.metadata.labels).toEqual({ x: "y" });
  });

  it("is put back at once by the loop's revert, with its traces", async () => {
    repository.commit({ "sources/a.yaml": manifestText("a") });
    await syncOnce(parts(), never);
    const before = (await get("a"))!;
    await kubectl("patch", "hsrc", "a", "--type=merge", "-p", '{"spec":{"suspend":true}}');
    const live = (await get("a"))!;
    const found = sourceDrift({ live, delivered: { spec: before.spec }, settings: drift, now: new Date() });
    expect(found).toMatchObject({
      kind: "drifted",
      action: "revert",
      manager: "kubectl-patch",
      fields: [{ field: "spec.suspend", delivered: "false", live: "true" }],
    });
    await api!.apply(resources.harvestSource, revertObject(live, before.spec), {
      manager: gitManager,
      force: true,
    });
    const after = (await get("a"))!;
    expect(after.spec).toEqual(before.spec);
    expect(after.metadata.annotations).toEqual(before.metadata.annotations);
    expect(counts(await syncOnce(parts(), never))).toEqual({ applied: 0, pruned: 0, unchanged: 1 });
    // A second revert of what was looked at before meets another object.
    await expect(
      api!.apply(resources.harvestSource, revertObject(live, before.spec), {
        manager: gitManager,
        force: true,
      }),
    ).rejects.toMatchObject({ status: 409 });
  });

  it("deletes what left Git, but not three of five, unless somebody confirmed it", async () => {
    repository.commit(five);
    await syncOnce(parts(), never);
    repository.commit({ "sources/a.yaml": undefined });
    expect(counts(await syncOnce(parts(), never))).toEqual({ applied: 0, pruned: 1, unchanged: 4 });
    expect(await present()).toEqual(["b", "c", "d", "e"]);

    const commit = repository.commit({
      "sources/b.yaml": undefined,
      "sources/c.yaml": undefined,
      "sources/d.yaml": manifestText("d", { schedule: "@daily" }),
    });
    const refused = await syncOnce(parts(), never);
    expect(refused).toMatchObject({ kind: "refused", refusals: [{ code: "too-many-deletions" }] });
    expect(await present()).toEqual(["b", "c", "d", "e"]);
    expect((await get("d"))?.spec.schedule).toBe("0 * * * *");
    expect((await inventory())["error"]).toBe(refused.sentence);
    writes = [];
    await syncOnce(parts(), never);
    expect(writes).toEqual([]);

    await kubectl(
      "annotate",
      "configmap",
      "harvest-gitops-inventory",
      `ingest.geoportal.io/confirm-deletions=${commit}`,
    );
    expect(counts(await syncOnce(parts(), never))).toEqual({ applied: 1, pruned: 2, unchanged: 1 });
    expect(await present()).toEqual(["d", "e"]);
    expect(await inventory()).not.toHaveProperty("error");
  });

  it("deletes nothing for an empty folder, a wrong path, or one that opted out", async () => {
    repository.commit(five);
    await syncOnce(parts(), never);
    await kubectl("annotate", "hsrc", "a", "ingest.geoportal.io/prune=disabled");
    repository.commit({ "sources/a.yaml": undefined });
    expect(await syncOnce(parts(), never)).toMatchObject({
      kind: "synced",
      pruned: [],
      refusals: [{ code: "prune-disabled", key: `${namespace}/a` }],
    });
    expect(await syncOnce(parts({ path: "typo" }), never)).toMatchObject({
      kind: "refused",
      refusals: [{ code: "empty" }],
    });
    repository.commit({ sources: undefined });
    expect(await syncOnce(parts(), never)).toMatchObject({ kind: "refused", refusals: [{ code: "empty" }] });
    expect(await present()).toEqual(["a", "b", "c", "d", "e"]);
  });

  const refusals: {
    name: string;
    commit: () => void;
    settings?: () => Partial<GitSyncSettings>;
    says: RegExp;
  }[] = [
    {
      name: "a broken file",
      commit: () => repository.commit({ "sources/b.yaml": "spec: [" }),
      says: /was not applied: sources\/b\.yaml:1: /,
    },
    {
      name: "a link to the outside",
      commit: () => {
        repository.link("sources/b.yaml", "/etc/passwd");
        repository.commit({});
      },
      says: /sources\/b\.yaml:1: A symbolic link/,
    },
    {
      name: "a namespace that is not allowed",
      commit: () => repository.commit({ "sources/b.yaml": manifestText("b", { namespace: "kube-system" }) }),
      says: /may not write to the namespace kube-system of b/,
    },
    {
      name: "two of one name",
      commit: () => repository.commit({ "sources/b.yaml": manifestText("a") }),
      says: /also stands at sources\/a\.yaml:4/,
    },
    {
      name: "an unsigned commit",
      commit: () => repository.commit({ "sources/b.yaml": manifestText("b") }),
      settings: () => {
        const allowedSignersFile = join(work, "signers");
        writeFileSync(allowedSignersFile, "");
        return { verify: { mode: "commit", allowedSignersFile } };
      },
      says: /is not signed by anybody/,
    },
    {
      name: "a branch that vanished",
      commit: () => {
        repository.git("branch", "-m", "other");
      },
      says: /no such branch/,
    },
    {
      name: "a repository that vanished",
      commit: () => {
        repository.remove();
      },
      says: /could not be (reached|fetched)/,
    },
  ];
  it.each(refusals)("keeps what is there for $name, and says why", async ({ commit, settings, says }) => {
    repository.commit({ "sources/a.yaml": manifestText("a") });
    await syncOnce(parts(), never);
    const before = await get("a");
    commit();
    const result = await syncOnce(parts(settings?.() ?? {}), never);
    expect(result.kind).not.toBe("synced");
    expect(result.sentence).toMatch(says);
    expect((await inventory())["error"]).toBe(result.sentence);
    expect(await present()).toEqual(["a"]);
    expect((await get("a"))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
  });

  it("applies nothing of a revision of which the server refuses a part", async () => {
    // Good for lint and for the schema; only the server knows that the namespace is not there.
    repository.commit({
      "sources/a.yaml": manifestText("a", { namespace }),
      "sources/b.yaml": manifestText("b", { namespace: "not-there" }),
    });
    const both = { namespaces: [namespace, "not-there"] };
    expect(await syncOnce(parts(both), never)).toMatchObject({
      kind: "refused",
      refusals: [{ code: "rejected", key: "not-there/b" }],
    });
    expect(await present()).toEqual([]);
  });

  it("leaves alone what Flux and Argo CD deliver, and applies the rest", async () => {
    const text = manifestText("a");
    await cluster!.kubectl(["apply", "--server-side", "--field-manager=kustomize-controller", "-f", "-"], {
      input: text,
    });
    repository.commit({
      "sources/a.yaml": manifestText("a", { schedule: "@daily" }),
      "sources/b.yaml": manifestText("b"),
    });
    expect(await syncOnce(parts(), never)).toMatchObject({
      kind: "synced",
      applied: [`${namespace}/b`],
      refusals: [{ code: "owned-by-another", key: `${namespace}/a` }],
    });
    expect((await get("a"))?.spec.schedule).toBe("0 * * * *");
  });

  it("follows a branch that was pushed by force", async () => {
    repository.commit({ "sources/a.yaml": manifestText("a") });
    repository.commit({ "sources/b.yaml": manifestText("b") });
    await syncOnce(parts(), never);
    repository.git("reset", "--quiet", "--hard", "HEAD~1");
    repository.commit({ "sources/c.yaml": manifestText("c") });
    expect(counts(await syncOnce(parts(), never))).toEqual({ applied: 1, pruned: 1, unchanged: 1 });
    expect(await present()).toEqual(["a", "c"]);
  });

  it("forgets nothing when it is stopped between any two writes", async () => {
    repository.commit(five);
    const stop = new AbortController();
    const stopping: GitSyncParts = {
      ...parts(),
      api: {
        ...api!,
        apply: async (resource, object, options) => {
          const written = await api!.apply(resource, object, options);
          if (object.metadata.name === "b" && options.dryRun !== true) stop.abort();
          return written;
        },
      },
    };
    expect(await syncOnce(stopping, stop.signal)).toMatchObject({ kind: "failed", code: "stopped" });
    expect(await present()).toEqual(["a", "b"]);
    expect((await inventory())["objects"]?.split("\n")).toHaveLength(5);
    repository.commit({ "sources/b.yaml": undefined });
    expect(counts(await syncOnce(parts(), never))).toEqual({ applied: 4, pruned: 1, unchanged: 0 });
    expect(await present()).toEqual(["a", "c", "d", "e"]);
  });

  it("goes round until it is told to stop", async () => {
    repository.commit(five);
    const stop = new AbortController();
    const results: SyncResult[] = [];
    const report = (result: SyncResult) => {
      results.push(result);
      stop.abort();
    };
    await runGitSync({ ...parts(), report, random: () => 0.5 }, stop.signal);
    expect(results.map(({ kind }) => kind)).toEqual(["synced"]);
  });
});
