import { describe, expect, it } from "vitest";
import type { KubeObject } from "../object.js";
import { withdrawalTrouble } from "./withdrawal-trouble.js";

const now = new Date("2026-11-30T12:10:00Z");

function job(role: string, status: object = {}): KubeObject {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: "harvest-state-w123456789",
      uid: "j",
      creationTimestamp: "2026-11-30T12:00:00Z",
      labels: { "ingest.geoportal.io/role": role },
    },
    status,
  };
}

function pod(waiting: object): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "p",
      creationTimestamp: "2026-11-30T12:00:01Z",
      ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "harvest-state-w123456789", uid: "j" }],
    },
    status: { phase: "Pending", containerStatuses: [{ name: "harvester", state: { waiting } }] },
  };
}

const ended = {
  conditions: [{ type: "Failed", status: "True", lastTransitionTime: "2026-11-30T12:05:00Z" }],
};

describe("what keeps a withdrawal from beginning", () => {
  it.each([
    ["no Job yet", { jobs: [], pods: [] }, undefined],
    ["a Job that ended", { jobs: [job("withdraw", ended)], pods: [] }, undefined],
    [
      "a run of another kind",
      { jobs: [job("scheduled")], pods: [pod({ reason: "ErrImagePull" })] },
      undefined,
    ],
    [
      "a secret that is not there",
      {
        jobs: [job("withdraw")],
        pods: [pod({ reason: "CreateContainerConfigError", message: 'secret "harvest-database" not found' })],
      },
      "Secret harvest-database is missing.",
    ],
    [
      "a mount that lasts",
      { jobs: [job("withdraw")], pods: [pod({ reason: "ContainerCreating" })] },
      "Its pod p has been starting since 2026-11-30T12:00:01Z: a Secret or ConfigMap it mounts may be missing (kubectl describe pod p).",
    ],
  ])("%s", (_name, given, sentence) => {
    expect(withdrawalTrouble(given, now).sentence).toBe(sentence);
  });
});
