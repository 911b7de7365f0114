import { describe, expect, it } from "vitest";
import type { KubeObject } from "./object.js";
import { recentWrites } from "./recent-writes.js";
import { resources } from "./resources.js";

const { cronJob } = resources;

function object(resourceVersion: string, uid = "u1"): KubeObject {
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "a", namespace: "geo", uid, resourceVersion },
  };
}

describe("what was written and the cache may not show yet", () => {
  it.each<readonly [string, KubeObject, KubeObject | undefined, string]>([
    ["the cache has nothing yet", object("10"), undefined, "10"],
    ["the cache is behind", object("10"), object("9"), "10"],
    ["the cache has caught up", object("10"), object("10"), "10"],
    ["the cache is ahead, with more digits", object("99"), object("100"), "100"],
    ["somebody made it anew", object("10"), object("11", "u2"), "11"],
    ["the cache has the one before it", object("10"), object("9", "u0"), "10"],
  ])("%s", (...[, written, cached, expected]) => {
    const writes = recentWrites();
    writes.remember(cronJob, written);
    expect(writes.newest(cronJob, "geo/a", cached)?.metadata.resourceVersion).toBe(expected);
  });

  it("keeps a deleted object out of sight until the cache lets it go", () => {
    const writes = recentWrites();
    writes.forget(cronJob, "geo/a", "u1");
    expect(writes.newest(cronJob, "geo/a", object("10"))).toBeUndefined();
    expect(writes.newest(cronJob, "geo/a", object("11", "u2"))?.metadata.uid).toBe("u2");
    expect(writes.size).toBe(0);
  });

  it("knows what it wrote for an owner, until the cache shows it or it is deleted", () => {
    const writes = recentWrites();
    const ownerReferences = [
      { apiVersion: "v", kind: "HarvestSource", name: "s", uid: "owner", controller: true },
    ];
    const child: KubeObject = { ...object("10"), metadata: { ...object("10").metadata, ownerReferences } };
    writes.remember(cronJob, child);
    expect(writes.ownedBy(cronJob, "owner")).toEqual([child]);
    expect(writes.ownedBy(resources.job, "owner")).toEqual([]);
    writes.newest(cronJob, "geo/a", child);
    expect(writes.ownedBy(cronJob, "owner")).toEqual([]);
    writes.remember(cronJob, child);
    writes.forget(cronJob, "geo/a", "u1");
    expect(writes.ownedBy(cronJob, "owner")).toEqual([]);
  });

  it("forgets the oldest when there are too many", () => {
    const writes = recentWrites(1);
    writes.remember(cronJob, object("10"));
    writes.remember(resources.job, object("11"));
    expect(writes.size).toBe(1);
    expect(writes.newest(cronJob, "geo/a", undefined)).toBeUndefined();
  });
});
