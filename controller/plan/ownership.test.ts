import { describe, expect, it } from "vitest";
import type { KubeObject, OwnerReference } from "../object.js";
import { liveSource } from "../render/inputs-for-tests.js";
import { ownershipOf } from "./ownership.js";

const source = liveSource({}, { name: "state", uid: "now" });

function owner(uid: string, kind = "HarvestSource", name = "state"): OwnerReference {
  return { apiVersion: "v1", kind, name, uid, controller: true };
}

function child(more: Partial<KubeObject["metadata"]>): KubeObject {
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "harvest-state", namespace: "geo", ...more },
  };
}

const ourLabels = {
  "app.kubernetes.io/managed-by": "harvest-controller",
  "ingest.geoportal.io/source": "state",
};

describe("whose is a child with our name", () => {
  it.each<readonly [string, Partial<KubeObject["metadata"]>, string]>([
    ["ours", { ownerReferences: [owner("now")] }, "ours"],
    ["ours, on its way out", { ownerReferences: [owner("now")], deletionTimestamp: "t" }, "going"],
    ["of an earlier source of this name", { ownerReferences: [owner("before")] }, "orphan"],
    [
      "of an earlier one, on its way out",
      { ownerReferences: [owner("before")], deletionTimestamp: "t" },
      "going",
    ],
    ["its owner was taken off", { labels: ourLabels }, "orphan"],
    ["somebody's, without owner", {}, "theirs"],
    ["somebody's, with an owner", { ownerReferences: [owner("x", "CronWorkflow", "other")] }, "theirs"],
    ["of another source", { ownerReferences: [owner("x", "HarvestSource", "other")] }, "theirs"],
    [
      "our labels for another source",
      { labels: { ...ourLabels, "ingest.geoportal.io/source": "b" } },
      "theirs",
    ],
  ])("%s", (_name, metadata, kind) => {
    expect(ownershipOf(child(metadata), source).kind).toBe(kind);
  });

  it("says whose it is, and what to do", () => {
    expect(ownershipOf(child({ ownerReferences: [owner("x", "CronWorkflow", "other")] }), source)).toEqual({
      kind: "theirs",
      sentence:
        "CronJob geo/harvest-state already exists and belongs to CronWorkflow other; it is not touched. Rename or remove it, or rename the source.",
    });
  });
});
