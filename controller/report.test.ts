import { describe, expect, it } from "vitest";
import type { HarvestSourceStatus } from "../source/harvest-source.generated.js";
import type { Api } from "./api.js";
import type { LiveSource } from "./object.js";
import { recentWrites } from "./recent-writes.js";
import { liveSource } from "./render/inputs-for-tests.js";
import { writeStatus } from "./report.js";
import { resources } from "./resources.js";

/** An API server that keeps a status: what others wrote stays in an apply, and goes by a merge patch with null. */
function serverWith(others: HarvestSourceStatus) {
  const requests: object[] = [];
  let foreign: Readonly<Record<string, unknown>> = { ...others };
  function answer(status: object): LiveSource {
    return { ...liveSource({}, { resourceVersion: String(requests.length) }), status };
  }
  const api: Pick<Api, "apply" | "patch"> = {
    apply: (_resource, { status }) => {
      requests.push({ apply: status });
      return Promise.resolve(answer({ ...foreign, ...(status as object) }));
    },
    patch: (_resource, _key, { body }) => {
      requests.push({ patch: body });
      const gone = Object.keys((body as { status: object }).status);
      foreign = Object.fromEntries(Object.entries(foreign).filter(([field]) => !gone.includes(field)));
      return Promise.resolve(answer(foreign));
    },
  };
  return { api: api as Api, requests };
}

describe("the status as it is written", () => {
  const status: HarvestSourceStatus = { summary: "Fresh", activeRuns: 0 };

  it("is one write", async () => {
    const { api, requests } = serverWith({ summary: "Forged" });
    await writeStatus(liveSource(), status, { api, writes: recentWrites() });
    expect(requests).toEqual([{ apply: status }]);
  });

  it("holds nothing that somebody else wrote into it", async () => {
    const { api, requests } = serverWith({ drift: { manager: "nobody" } });
    const writes = recentWrites();
    const source = liveSource();
    await writeStatus(source, status, { api, writes });
    expect(requests).toEqual([
      { apply: status },
      { patch: { metadata: { resourceVersion: "1" }, status: { drift: null } } },
      { apply: status },
    ]);
    const key = `${source.metadata.namespace ?? ""}/${source.metadata.name}`;
    expect(writes.newest(resources.harvestSource, key, undefined)?.["status"]).toEqual(status);
  });
});
