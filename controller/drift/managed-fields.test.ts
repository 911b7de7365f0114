import { describe, expect, it } from "vitest";
import { takeoverPatch } from "./child-difference.js";
import { takeover } from "./managed-fields.js";
import type { JsonObject, KubeObject, ManagedFieldsEntry } from "../object.js";

const manager = "harvest-controller";

function update(
  by: string,
  fieldsV1: JsonObject,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  const time = "2026-12-01T01:00:00Z";
  return {
    manager: by,
    operation: "Update",
    apiVersion: "batch/v1",
    time,
    fieldsType: "FieldsV1",
    fieldsV1,
    ...more,
  };
}

function withEntries(...managedFields: ManagedFieldsEntry[]): KubeObject {
  return { apiVersion: "batch/v1", kind: "CronJob", metadata: { name: "a", managedFields } };
}

describe("takeover", () => {
  const status = update("kubectl-patch", { "f:status": {} }, { subresource: "status" });

  it("has nothing to do where others only annotate or write status", () => {
    const label = update("kubectl-label", { "f:metadata": { "f:labels": { "f:x": {} } } });
    expect(takeover(withEntries(label, status), manager)).toBeUndefined();
  });

  it("gives us what others own, and leaves them their annotations", () => {
    const own: ManagedFieldsEntry = {
      manager,
      operation: "Apply",
      apiVersion: "batch/v1",
      time: "2026-12-01T00:00:00Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:schedule": {}, "f:a": { 'k:{"name":"x"}': { ".": {}, "f:name": {} } } } },
    };
    const edit = update("kubectl-edit", {
      "f:spec": { "f:suspend": {}, "f:a": { 'k:{"name":"y"}': { ".": {} } } },
    });
    const applied = update("kubectl-client-side-apply", {
      "f:metadata": {
        "f:annotations": { ".": {}, "f:kubectl.kubernetes.io/last-applied-configuration": {} },
      },
      "f:spec": { "f:a": { 'k:{"name":"x"}': { "f:value": {} } } },
    });
    const object: KubeObject = {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "a", resourceVersion: "7", managedFields: [edit, own, applied, status] },
    };
    const expected = [
      {
        ...own,
        fieldsV1: {
          "f:spec": {
            "f:schedule": {},
            "f:suspend": {},
            "f:a": {
              'k:{"name":"x"}': { ".": {}, "f:name": {}, "f:value": {} },
              'k:{"name":"y"}': { ".": {} },
            },
          },
        },
      },
      {
        ...applied,
        fieldsV1: {
          "f:metadata": {
            "f:annotations": { ".": {}, "f:kubectl.kubernetes.io/last-applied-configuration": {} },
          },
        },
      },
      status,
    ];
    expect(takeover(object, manager)).toEqual(expected);
    expect(takeoverPatch(object, takeover(object, manager)!)).toEqual([
      { op: "replace", path: "/metadata/managedFields", value: expected },
      { op: "replace", path: "/metadata/resourceVersion", value: "7" },
    ]);
  });

  it("makes an entry of ours where there is none", () => {
    const before = update("before-first-apply", { "f:data": { "f:a": {} } });
    const object: KubeObject = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", managedFields: [before] },
    };
    expect(takeover(object, manager)).toEqual([
      {
        manager,
        operation: "Apply",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        time: "2026-12-01T01:00:00Z",
        fieldsV1: { "f:data": { "f:a": {} } },
      },
    ]);
  });
});
