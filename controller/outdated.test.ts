import { expect, it } from "vitest";
import type { LiveSource, ObjectMeta } from "./object.js";
import { isOutdated } from "./outdated.js";
import { recentWrites } from "./recent-writes.js";
import { liveSource } from "./render/inputs-for-tests.js";
import { resources } from "./resources.js";

const key = "harvest/state";

function at(metadata: Partial<ObjectMeta>): LiveSource {
  return liveSource({}, { name: "state", namespace: "harvest", ...metadata });
}

const seen = at({ uid: "one", resourceVersion: "99" });

it.each([
  { name: "it is the same", live: seen, outdated: false },
  { name: "it was changed", live: at({ uid: "one", resourceVersion: "100" }), outdated: true },
  { name: "another has its name", live: at({ uid: "two", resourceVersion: "100" }), outdated: true },
  { name: "it is gone", live: undefined, outdated: true },
])("a source from the cache, when $name: the next look finds what there is", async ({ live, outdated }) => {
  const writes = recentWrites();
  const context = { api: { get: () => Promise.resolve(live) }, writes };
  expect(await isOutdated(seen, context)).toBe(outdated);
  expect(writes.newest(resources.harvestSource, key, seen)).toBe(live);
});
