import { describe, expect, it } from "vitest";
import type { Api } from "../api.js";
import type { KubeObject } from "../object.js";
import { resources } from "../resources.js";
import { onlyWhileLeading } from "./only-while-leading.js";

const object: KubeObject = {
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: { name: "a", namespace: "n" },
};
const apply = { manager: "m" };
const patch = { type: "application/merge-patch+json", manager: "m", body: {} } as const;

function bench(leading: boolean) {
  const sent: string[] = [];
  const answer = (verb: string) => () => {
    sent.push(verb);
    return Promise.resolve(object);
  };
  const api: Api = {
    get: answer("get"),
    list: () => {
      sent.push("list");
      return Promise.resolve({ items: [], resourceVersion: "1" });
    },
    create: answer("create"),
    apply: answer("apply"),
    patch: answer("patch"),
    delete: async () => {
      await answer("delete")();
    },
  };
  return { sent, api: onlyWhileLeading(api, () => leading) };
}

const calls: readonly { name: string; writes: boolean; call: (api: Api) => Promise<unknown> }[] = [
  { name: "get", writes: false, call: (api) => api.get(resources.cronJob, "n/a") },
  { name: "list", writes: false, call: (api) => api.list(resources.cronJob) },
  {
    name: "dry apply",
    writes: false,
    call: (api) => api.apply(resources.cronJob, object, { ...apply, dryRun: true }),
  },
  {
    name: "dry patch",
    writes: false,
    call: (api) => api.patch(resources.cronJob, "n/a", { ...patch, dryRun: true }),
  },
  { name: "create", writes: true, call: (api) => api.create(resources.cronJob, object, "m") },
  { name: "apply", writes: true, call: (api) => api.apply(resources.cronJob, object, apply) },
  { name: "patch", writes: true, call: (api) => api.patch(resources.cronJob, "n/a", patch) },
  { name: "delete", writes: true, call: (api) => api.delete(resources.cronJob, "n/a") },
];

describe("a process that does not lead", () => {
  it.each(calls)("$name", async ({ writes, call }) => {
    const { api, sent } = bench(false);
    if (writes) {
      await expect(call(api)).rejects.toMatchObject({
        detail: { reason: "NotLeading", resource: "cronjobs.batch" },
      });
      expect(sent).toEqual([]);
    } else {
      await call(api);
      expect(sent).toHaveLength(1);
    }
  });
});

it.each(calls)("a leader sends $name", async ({ call }) => {
  const { api, sent } = bench(true);
  await call(api);
  expect(sent).toHaveLength(1);
});
