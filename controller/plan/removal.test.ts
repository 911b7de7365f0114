import { describe, expect, it } from "vitest";
import type { KubeObject, LiveSource } from "../object.js";
import { liveSource } from "../render/inputs-for-tests.js";
import { decideRemoval, planFinalizer } from "./removal.js";
import { job, observed } from "./scene-for-tests.js";

const now = new Date("2026-11-30T12:10:00Z");

function removed(at: string, finalizers: readonly string[] = []): LiveSource {
  return liveSource({}, { deletionTimestamp: at, finalizers });
}

const source = removed("2026-11-30T12:00:00Z");
const old = removed("2026-11-30T11:00:00Z");
const cronJob: KubeObject = {
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: { name: "harvest-state", namespace: "geo", uid: "c" },
};
const goingCronJob: KubeObject = { ...cronJob, metadata: { ...cronJob.metadata, deletionTimestamp: "t" } };

describe("removing a source whose records are withdrawn", () => {
  it.each([
    [
      "first its schedule and its runs go",
      observed(source, { cronJob, jobs: [job("scheduled", { name: "r1" })] }),
      "stop",
    ],
    [
      "a run that ended is no run",
      observed(source, { jobs: [job("scheduled", { end: "Complete" })] }),
      "withdraw",
    ],
    ["while they go it waits", observed(source, { cronJob: goingCronJob }), "wait"],
    [
      "a run on its way out is waited for",
      observed(source, { jobs: [job("requested", { deleting: true })] }),
      "wait",
    ],
    ["then the Job is made", observed(source), "withdraw"],
    ["and waited for", observed(source, { jobs: [job("withdraw")] }), "wait"],
    ["done", observed(source, { jobs: [job("withdraw", { end: "Complete" })] }), "done"],
    ["failed", observed(source, { jobs: [job("withdraw", { end: "Failed" })] }), "given-up"],
    ["an hour is enough", observed(old, { jobs: [job("withdraw")] }), "given-up"],
    ["an hour is enough, also for a Job that never came", observed(old), "given-up"],
    [
      "a foreground deletion takes the children first",
      observed(removed("2026-11-30T12:00:00Z", ["foregroundDeletion"])),
      "wait",
    ],
  ])("%s", (_name, given, kind) => {
    expect(decideRemoval(given, now).kind).toBe(kind);
  });

  it("names what is stopped, once", () => {
    const given = observed(source, {
      cronJob,
      jobs: [job("scheduled", { name: "r1" }), job("scheduled", { name: "r2", deleting: true })],
    });
    expect(decideRemoval(given, now)).toMatchObject({
      kind: "stop",
      steps: [
        { kind: "delete", key: "geo/harvest-state", uid: "c" },
        { kind: "delete", key: "geo/r1", uid: "uid-r1" },
      ],
    });
  });

  it("waits no longer than the hour that is left", () => {
    expect(decideRemoval(observed(source, { jobs: [job("withdraw")] }), now)).toEqual({
      kind: "wait",
      afterMs: 50 * 60_000,
    });
  });
});

describe("the finalizer", () => {
  const withdraw = { ...liveSource().spec.deletions, onSourceRemoval: "withdraw" } as const;
  const finalizers = ["ingest.geoportal.io/finalizer"];
  it.each([
    ["keep, without: nothing", liveSource(), []],
    ["withdraw, without: added", liveSource({ deletions: withdraw }), [{ kind: "finalizer", present: true }]],
    ["withdraw, with: nothing", liveSource({ deletions: withdraw }, { finalizers }), []],
    ["keep, with: taken off", liveSource({}, { finalizers }), [{ kind: "finalizer", present: false }]],
  ])("%s", (_name, live, steps) => {
    expect(planFinalizer(live)).toEqual(steps);
  });
});
