import { describe, expect, it } from "vitest";
import type { KubeObject } from "../object.js";
import { withoutManagedFields } from "./cache-trim.js";
import { compareVersions } from "./cache-version.js";
import { createCache, type Cache } from "./cache.js";

interface Given {
  readonly version?: string;
  readonly uid?: string;
  readonly owner?: string;
  readonly controller?: boolean;
}

function pod(key: string, { version = "1", uid = "u", owner, controller = true }: Given = {}): KubeObject {
  const [namespace = "", name = ""] = key.split("/");
  const reference = { apiVersion: "batch/v1", kind: "Job", name: "j", uid: owner ?? "", controller };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...{ namespace, name, uid, resourceVersion: version },
      ...(owner === undefined ? {} : { ownerReferences: [reference] }),
    },
  };
}

function names(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => `${metadata.namespace ?? ""}/${metadata.name}`);
}

function filled(...objects: readonly KubeObject[]): Cache {
  const cache = createCache({ freeze: true });
  cache.replace(objects);
  return cache;
}

describe("which version is older", () => {
  it.each([
    ["1", "2", -1],
    ["2", "1", 1],
    ["7", "7", 0],
    ["9", "10", -1],
    ["99999999999999999998", "99999999999999999999", -1],
    ["100000000000000000000", "99999999999999999999", 1],
    ["abc", "abc", 0],
    ["abc", "1", undefined],
    ["", "1", undefined],
    ["01", "1", undefined],
    ["0", "1", undefined],
    ["-1", "1", undefined],
  ] as const)("%s and %s: %s", (a, b, expected) => {
    const order = compareVersions(a, b);
    expect(order === undefined ? undefined : Math.sign(order)).toBe(expected);
  });
});

describe("reading", () => {
  it("finds by key, by namespace and by owner, sorted by key", () => {
    const cache = filled(
      pod("b/x", { owner: "o1" }),
      pod("a/z", { owner: "o2" }),
      pod("a/y", { owner: "o1" }),
      pod("a-b/q"),
    );
    expect(cache.lister.get("a/y")).toBeDefined();
    expect(cache.lister.get("a/none")).toBeUndefined();
    expect(names(cache.lister.list())).toEqual(["a-b/q", "a/y", "a/z", "b/x"]);
    expect(names(cache.lister.list("a"))).toEqual(["a/y", "a/z"]);
    expect(names(cache.lister.ownedBy("o1"))).toEqual(["a/y", "b/x"]);
    expect(cache.lister.ownedBy("nobody")).toEqual([]);
    expect(cache.size()).toBe(4);
  });

  it("knows only the owner that is the controller", () => {
    const cache = filled(pod("a/x", { owner: "o1", controller: false }));
    expect(cache.lister.ownedBy("o1")).toEqual([]);
  });

  it("forgets an owner that was changed or went with its object", () => {
    const cache = filled(pod("a/x", { owner: "o1" }), pod("a/y", { owner: "o1" }));
    cache.put(pod("a/x", { owner: "o2", version: "2" }));
    cache.remove(pod("a/y", { version: "3" }));
    expect(names(cache.lister.ownedBy("o1"))).toEqual([]);
    expect(names(cache.lister.ownedBy("o2"))).toEqual(["a/x"]);
  });

  it("hands out lists nobody can change, and that do not change", () => {
    const cache = filled(pod("a/x"));
    const before = cache.lister.list();
    cache.put(pod("a/y"));
    expect(names(before)).toEqual(["a/x"]);
    expect(names(cache.lister.list())).toEqual(["a/x", "a/y"]);
    expect(() => (before as KubeObject[]).push(pod("a/z"))).toThrow(TypeError);
  });
});

describe("taking in a list", () => {
  it("tells what is new, changed, replaced and gone; what is the same stays the same object", () => {
    const cache = filled(pod("a/same"), pod("a/changed"), pod("a/reborn"), pod("a/gone"));
    const same = cache.lister.get("a/same");
    const changes = cache.replace([
      pod("a/same"),
      pod("a/changed", { version: "5" }),
      pod("a/reborn", { version: "6", uid: "other" }),
      pod("a/new", { version: "7" }),
    ]);
    expect(changes.map(({ key, change }) => `${change.type} ${key}`)).toEqual([
      "changed a/changed",
      "deleted a/reborn",
      "added a/reborn",
      "added a/new",
      "deleted a/gone",
    ]);
    expect(cache.lister.get("a/same")).toBe(same);
    expect(names(cache.lister.list())).toEqual(["a/changed", "a/new", "a/reborn", "a/same"]);
  });

  it("an empty list empties", () => {
    const cache = filled(pod("a/x", { owner: "o" }));
    expect(cache.replace([])).toHaveLength(1);
    expect(cache.size()).toBe(0);
    expect(cache.lister.ownedBy("o")).toEqual([]);
  });
});

describe("versions that are no numbers", () => {
  it("another one is news, the same one is not", () => {
    const cache = filled(pod("a/x", { version: "abc" }));
    expect(cache.put(pod("a/x", { version: "abc" }))).toEqual([]);
    expect(cache.put(pod("a/x", { version: "aaa" }))).toHaveLength(1);
    expect(cache.remove(pod("a/x", { version: "aab" }))).toHaveLength(1);
  });
});

describe("what is kept", () => {
  it("is trimmed, and so are the states told", () => {
    const cache = createCache({ trim: withoutManagedFields, freeze: true });
    const object = pod("a/x");
    const full = {
      ...object,
      metadata: { ...object.metadata, managedFields: [{ manager: "kubectl" }] },
      spec: { nodeName: "n" },
    };
    const [told] = cache.put(full);
    expect(told?.change).toEqual({ type: "added", object: { ...object, spec: { nodeName: "n" } } });
    expect(cache.lister.get("a/x")).toEqual({ ...object, spec: { nodeName: "n" } });
    expect(full.metadata.managedFields).toHaveLength(1);
  });

  it("is frozen all the way down", () => {
    const cache = createCache({ freeze: true });
    cache.put({ ...pod("a/x", { owner: "o" }), spec: { containers: [{ name: "c" }] } });
    const kept = cache.lister.get("a/x") as unknown as { spec: { containers: { name: string }[] } };
    expect(() => {
      kept.spec.containers[0]!.name = "d";
    }).toThrow(TypeError);
  });
});
