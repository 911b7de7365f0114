import { describe, expect, it } from "vitest";
import type { KubeObject, LiveSource } from "./object.js";
import type { Observed } from "./observed.js";
import { plan } from "./plan.js";
import { asApplied, job, observed } from "./plan/scene-for-tests.js";
import type { Step } from "./plan/step.js";
import { renderChildren } from "./render/render-children.js";
import { liveSource, renderInput } from "./render/inputs-for-tests.js";
import type { Settings } from "./settings.js";

const now = new Date("2026-11-30T12:00:00Z");
const render = renderInput().settings;
const settings: Settings = {
  namespace: "harvest",
  watchNamespaces: [],
  identity: "test",
  render,
  drift: { mode: "revert", deliveryManagers: ["ci"] },
  election: { leaseName: "l", leaseSeconds: 15, renewSeconds: 10, retrySeconds: 2 },
  workers: 1,
  port: 0,
  freshIntervals: 2,
};

function told(steps: readonly Step[]): readonly string[] {
  return steps.map((step) => {
    const what = "object" in step ? step.object.kind : "resource" in step ? step.resource.kind : "";
    return [step.kind, what, "why" in step ? step.why : ""].filter((word) => word !== "").join(" ");
  });
}

/** Everything of the source in place, as the first pass leaves it. */
function settled(source: LiveSource = liveSource(), more: Partial<Observed> = {}): Observed {
  const bare = observed(source);
  const { digest } = bare.bundle as { digest: string };
  const bundle = { name: render.bundleName, digest };
  const children = renderChildren({ source, bundle, settings: render, suspended: source.spec.suspend });
  return {
    ...bare,
    configMaps: [asApplied(children.configMap)],
    networkPolicy: asApplied(children.networkPolicy),
    cronJob: asApplied(children.cronJob),
    ...more,
  };
}

function changed(object: KubeObject | undefined, spec: object): KubeObject {
  if (object === undefined) throw new Error("There is no such child.");
  return { ...object, spec: { ...(object["spec"] as object), ...spec } };
}

const ready: NonNullable<LiveSource["status"]> = {
  observedGeneration: 3,
  conditions: [
    {
      type: "Ready",
      status: "True",
      reason: "Scheduled",
      message: "",
      lastTransitionTime: "2026-11-30T00:00:00Z",
    },
  ],
};

describe("one look at a source", () => {
  it.each<readonly [string, LiveSource, Partial<Observed>, readonly string[]]>([
    [
      "a child is gone from a source that was Ready: somebody deleted it",
      { ...liveSource(), status: ready },
      { cronJob: undefined, networkPolicy: undefined, configMaps: [] },
      ["apply ConfigMap repair", "apply NetworkPolicy repair", "apply CronJob repair"],
    ],
    [
      "a new spec has a new ConfigMap: nobody deleted it",
      { ...liveSource({}, { generation: 4 }), status: ready },
      { configMaps: [] },
      ["apply ConfigMap missing"],
    ],
    [
      "a new version of us renders another ConfigMap than the CronJob mounts: nobody deleted it",
      { ...liveSource(), status: ready },
      { configMaps: [], cronJob: { ...asApplied(settled().cronJob!), spec: {} } },
      ["apply ConfigMap missing", "apply CronJob repair"],
    ],
    [
      "a source that was not Ready never had it",
      { ...liveSource(), status: { observedGeneration: 3, conditions: [] } },
      { networkPolicy: undefined },
      ["apply NetworkPolicy missing"],
    ],
  ])("%s", (...[, source, more, steps]) => {
    expect(told(plan({ ...settled(source), ...more } as Observed, settings, now).steps)).toEqual(steps);
  });

  it("says that a child was deleted", () => {
    const gone = { ...settled({ ...liveSource(), status: ready }), cronJob: undefined };
    expect(plan(gone as unknown as Observed, settings, now).steps).toEqual([
      expect.objectContaining({ sentence: "CronJob harvest/harvest-state was deleted by somebody." }),
    ]);
  });

  it("puts the children of a new one in place, in the order in which they need one another", () => {
    expect(told(plan(observed(), settings, now).steps)).toEqual([
      "apply ConfigMap missing",
      "apply NetworkPolicy missing",
      "apply CronJob missing",
    ]);
  });

  it("writes nothing when everything is in place", () => {
    const planned = plan(settled(), settings, now);
    expect(planned.steps).toEqual([]);
    expect(planned.nextRunTime).toBe("2026-11-30T18:00:00Z");
    expect(planned.acceptance.kind).toBe("accepted");
  });

  it("puts back what was changed by hand, and says by whom", () => {
    const given = settled();
    const by = {
      manager: "kubectl-patch",
      operation: "Update" as const,
      fieldsType: "FieldsV1" as const,
      fieldsV1: { "f:spec": { "f:suspend": {} } },
    };
    const live = changed(given.cronJob, { suspend: true });
    const cronJob = { ...live, metadata: { ...live.metadata, managedFields: [by] } };
    const { steps } = plan({ ...given, cronJob }, settings, now);
    expect(told(steps)).toEqual(["apply CronJob repair"]);
    expect(steps[0]).toMatchObject({
      sentence: expect.stringContaining('was changed by "kubectl-patch": spec.suspend') as string,
    });
  });

  it("suspends the schedule of a paused source, and gives no next run", () => {
    const source = liveSource({}, { annotations: { "ingest.geoportal.io/paused": "move" } });
    const planned = plan(settled(source), settings, now);
    expect(told(planned.steps)).toEqual(["apply CronJob changed"]);
    expect(planned.steps[0]).toMatchObject({
      sentence: expect.stringMatching(/is not yet what its source asks for now: .*spec\.suspend/) as string,
    });
    expect(planned.nextRunTime).toBeUndefined();
    expect(planned.paused?.reason).toBe("move");
  });

  it("keeps the old schedule of a source that cannot be used any more, but lets the brake hold", () => {
    const bundle = { kind: "missing", sentence: "There is none." } as const;
    expect(plan(settled(liveSource(), { bundle }), settings, now).steps).toEqual([]);
    const paused = liveSource({}, { annotations: { "ingest.geoportal.io/paused": "move" } });
    const { cronJob } = settled();
    expect(told(plan(settled(paused, { bundle, cronJob }), settings, now).steps)).toEqual(["brake"]);
  });

  it("starts a requested run once nothing else runs", () => {
    const source = liveSource({}, { annotations: { "ingest.geoportal.io/requestedAt": "now" } });
    expect(told(plan(settled(source), settings, now).steps)).toEqual(["create Job"]);
    expect(plan(settled(source, { jobs: [job("scheduled")] }), settings, now).request.kind).toBe("wait");
  });

  it("drops the ConfigMaps of earlier specs when no run needs them", () => {
    const given = settled();
    const [current] = given.configMaps;
    const old: KubeObject = {
      ...(current as KubeObject),
      metadata: { ...(current as KubeObject).metadata, name: "harvest-state-old", uid: "old" },
    };
    const both = { ...given, configMaps: [...given.configMaps, old] };
    expect(told(plan(both, settings, now).steps)).toEqual(["delete ConfigMap superseded spec"]);
    expect(plan({ ...both, jobs: [job("scheduled")] }, settings, now).steps).toEqual([]);
  });

  it("touches no child that belongs to somebody else, and says whose it is", () => {
    const given = settled();
    const cronJob = {
      ...(given.cronJob as KubeObject),
      metadata: { name: "harvest-x", namespace: "geo", uid: "x" },
    };
    const planned = plan({ ...given, cronJob }, settings, now);
    expect(planned.steps).toEqual([]);
    expect(planned.trouble).toContain("belongs to somebody who left no owner reference");
  });

  it("puts back a spec that was changed by hand before any run sees it", () => {
    const delivered = liveSource();
    const spec = { ...delivered.spec, schedule: "0 1 * * *" };
    const managedFields = [
      { manager: "kubectl-edit", operation: "Update" as const, fieldsV1: { "f:spec": {} } },
    ];
    const source = {
      ...liveSource({}, { managedFields }),
      spec,
      status: { delivery: { engine: "managers" as const, manager: "ci" } },
    };
    const planned = plan(settled(source, { delivered: { spec: delivered.spec } }), settings, now);
    expect(told(planned.steps)).toEqual(["revert HarvestSource"]);
    expect(planned.drift).toMatchObject({ kind: "drifted", manager: "kubectl-edit", action: "revert" });
    // Under another name the delivery's next server-side apply would meet a conflict.
    expect(planned.steps).toMatchObject([{ manager: "ci" }]);
  });
});
