import { describe, expect, it } from "vitest";
import { fakeClock, settle } from "../../tests/setup/fake-clock.js";
import { scriptedSource } from "../../tests/setup/scripted-source.js";
import type { KubeObject } from "../object.js";
import { resources } from "../resources.js";
import { withoutManagedFields } from "./cache-trim.js";
import { createReflectors, type StoreChange } from "./reflector-set.js";

type Name = "sources" | "pods" | "definitions";

function object(namespace: string | undefined, name: string, version: number): KubeObject {
  const place = namespace === undefined ? {} : { namespace };
  const owner = { apiVersion: "v1", kind: "X", name: "x", uid: "owner", controller: true };
  return {
    apiVersion: "v1",
    kind: "Thing",
    metadata: {
      ...{ ...place, name, uid: `${String(namespace)}-${name}`, resourceVersion: String(version) },
      ownerReferences: [owner],
      managedFields: [{ manager: "someone" }],
    },
  };
}

function makeSet(namespaces: readonly string[]) {
  const clock = fakeClock();
  const source = scriptedSource();
  const told: string[] = [];
  const changes: StoreChange<Name>[] = [];
  const notes: string[] = [];
  const set = createReflectors<Name>({
    source,
    clock,
    random: () => 0,
    namespaces,
    keep: {
      sources: { resource: resources.harvestSource },
      pods: { resource: resources.pod, labelSelector: "mine=true", trim: withoutManagedFields },
      definitions: { resource: resources.customResourceDefinition },
    },
    onChange: (change) => {
      changes.push(change);
      const { name, key, old, object: now } = change;
      told.push(
        `${name} ${key} ${old?.metadata.resourceVersion ?? "-"}>${now?.metadata.resourceVersion ?? "-"}`,
      );
    },
    onState: ({ name, namespace = "*" }, note) => notes.push(`${name} ${namespace} ${note.kind}`),
  });
  set.start(new AbortController().signal);
  return { clock, source, told, changes, notes, set };
}

describe("all reflectors as one", () => {
  it("lists each kind in each namespace, and what has none once", async () => {
    const { source } = makeSet(["b", "a", "b"]);
    await settle();
    expect(source.lists.map(({ resource, options }) => [resource.plural, options])).toEqual([
      ["harvestsources", { namespace: "b" }],
      ["harvestsources", { namespace: "a" }],
      ["pods", { namespace: "b", labelSelector: "mine=true" }],
      ["pods", { namespace: "a", labelSelector: "mine=true" }],
      ["customresourcedefinitions", {}],
    ]);
  });

  it("is synced when every one is, and reads over all namespaces in the order of keys", async () => {
    const { source, set, told, notes } = makeSet(["a", "a-b"]);
    let synced = false;
    void set.synced.then(() => (synced = true));
    await settle();
    source.lists[0]!.answer("10", [object("a", "x", 1), object("a", "w", 2)]);
    source.lists[1]!.answer("11", [object("a-b", "y", 3)]);
    source.lists[2]!.answer("12", []);
    source.lists[3]!.answer("13", [object("a-b", "p", 4)]);
    await settle();
    expect([synced, set.hasSynced()]).toEqual([false, false]);
    source.lists[4]!.answer("14", [object(undefined, "crd", 5)]);
    await settle();
    expect([synced, set.hasSynced()]).toEqual([true, true]);
    const sources = set.lister("sources");
    expect(sources.list().map(({ metadata }) => metadata.name)).toEqual(["y", "w", "x"]);
    expect(sources.list("a").map(({ metadata }) => metadata.name)).toEqual(["w", "x"]);
    expect(sources.list("elsewhere")).toEqual([]);
    expect(sources.get("a-b/y")?.metadata.resourceVersion).toBe("3");
    expect(sources.get("elsewhere/y")).toBeUndefined();
    expect(sources.ownedBy("owner")).toHaveLength(3);
    expect(set.lister("definitions").get("crd")).toBeDefined();
    expect(set.lister("pods").get("a-b/p")?.metadata.managedFields).toBeUndefined();
    expect(sources.get("a/x")?.metadata.managedFields).toHaveLength(1);
    expect(told).toContain("sources a/x ->1");
    expect(notes).toContain("pods a-b listed");
    expect(notes).toContain("definitions * listed");
  });

  it("tells both sides of a change at one place", async () => {
    const { source, told, changes } = makeSet([]);
    await settle();
    source.lists[0]!.answer("10", [object("a", "x", 1)]);
    await settle();
    source.watches[0]!.accept();
    source.watches[0]!.send(
      { type: "MODIFIED", object: object("a", "x", 11) },
      { type: "DELETED", object: object("a", "x", 12) },
    );
    await settle();
    expect(told).toEqual(["sources a/x ->1", "sources a/x 1>11", "sources a/x 12>-"]);
    expect(changes[0]?.resource).toBe(resources.harvestSource);
  });

  it("is as active as its least active member, and stops as one", async () => {
    const { clock, source, set } = makeSet([]);
    const start = Date.parse("2026-12-01T00:00:00Z");
    await settle();
    source.lists[0]!.answer("10", []);
    source.lists[1]!.answer("10", []);
    source.lists[2]!.answer("10", []);
    await clock.pass(50_000);
    for (const [number, watch] of source.watches.entries()) if (number !== 1) watch.bytes();
    expect(set.lastActivity()).toEqual(new Date(start));
    source.watches[1]!.bytes();
    expect(set.lastActivity()).toEqual(new Date(start + 50_000));
    set.stop();
    expect(set.states().map(({ name, state }) => `${name} ${state.phase}`)).toEqual([
      "sources stopped",
      "pods stopped",
      "definitions stopped",
    ]);
    expect(clock.waiting).toBe(0);
  });
});
