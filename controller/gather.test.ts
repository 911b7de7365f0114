/** What a decision is made from when the cache is late, or was never told. */
import { describe, expect, it } from "vitest";
import type { Api, Lister } from "./api.js";
import { gather, type GatherContext, type Listers } from "./gather.js";
import { hostIndex } from "./host-index.js";
import { keyOf, type KubeObject, type LiveSource } from "./object.js";
import { asApplied } from "./plan/scene-for-tests.js";
import { recentWrites } from "./recent-writes.js";
import { liveSource, renderInput } from "./render/inputs-for-tests.js";
import { renderChildren } from "./render/render-children.js";
import { resources } from "./resources.js";

const key = "harvest/state";

function source(status: LiveSource["status"] = {}): LiveSource {
  return { ...liveSource({}, { name: "state" }), status };
}

const children = renderChildren(renderInput({ source: source() }));

interface Scene {
  /** What the caches have, by store. */
  readonly cached?: Readonly<Partial<Record<keyof Listers, readonly KubeObject[]>>>;
  /** What the API server has, whatever the caches say. */
  readonly live?: readonly KubeObject[];
}

function listerOf(objects: readonly KubeObject[] = []): Lister {
  return {
    get: (wanted) => objects.find((object) => keyOf(object) === wanted),
    list: () => objects,
    ownedBy: (uid) =>
      objects.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid)),
  };
}

function contextOf({ cached = {}, live = [] }: Scene): GatherContext {
  const stores = ["sources", "cronJobs", "networkPolicies", "configMaps", "bundles", "jobs", "pods"] as const;
  const listers = Object.fromEntries(stores.map((store) => [store, listerOf(cached[store])]));
  const get: Api["get"] = (resource, wanted) =>
    Promise.resolve(live.find((object) => object.kind === resource.kind && keyOf(object) === wanted));
  return {
    // Nothing but reads of single objects is asked of it.
    api: { get } as Api,
    listers: listers as unknown as Listers,
    writes: recentWrites(),
    hosts: hostIndex(),
    bundleName: "bundle",
  };
}

describe("what a decision about a source is made from", () => {
  it("is nothing when the source it wrote last was deleted before the cache showed it", async () => {
    const context = contextOf({});
    context.writes.remember(resources.harvestSource, source());
    expect(await gather(key, context)).toBeUndefined();
    expect(await gather(key, context)).toBeUndefined();
  });

  it("is the source it wrote while the cache does not show it yet", async () => {
    const context = contextOf({ live: [source()] });
    context.writes.remember(resources.harvestSource, source());
    expect((await gather(key, context))?.source.metadata.name).toBe("state");
  });

  it("has no child that was deleted before the cache showed it", async () => {
    const context = contextOf({ cached: { sources: [source()] } });
    context.writes.remember(resources.cronJob, asApplied(children.cronJob));
    context.writes.remember(resources.configMap, asApplied(children.configMap));
    const found = await gather(key, context);
    expect(found?.cronJob).toBeUndefined();
    expect(found?.configMaps).toEqual([]);
  });

  it("has the ConfigMap of its spec although that lost label and owner", async () => {
    const { configMap } = children;
    const bare = { ...configMap, metadata: { name: configMap.metadata.name, namespace: "harvest" } };
    const found = await gather(key, contextOf({ cached: { sources: [source()] }, live: [bare] }));
    expect(found?.configMaps).toEqual([bare]);
  });

  it.each([
    ["is known by the ConfigMap that was made from it", (text: string) => text, "0 */6 * * *"],
    ["is not known when somebody put other content into it", (text: string) => text.replace("*/6", "*/7")],
  ])("the delivered spec %s", async (_name, rewrite, schedule?: string) => {
    const { configMap } = children;
    const text = (configMap["data"] as Record<string, string>)["source.yaml"] ?? "";
    const kept = { ...configMap, data: { "source.yaml": rewrite(text) } };
    const live = source({ delivery: { engine: "managers", configMapName: configMap.metadata.name } });
    const found = await gather(key, contextOf({ cached: { sources: [live], configMaps: [kept] } }));
    expect(found?.delivered?.spec.schedule).toBe(schedule);
  });
});
