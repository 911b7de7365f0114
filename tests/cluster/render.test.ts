/** What the controller renders, judged by a real API server: nothing unknown in it, nothing refused, nothing that drifts by itself. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubeObject } from "../../controller/object.js";
import { renderRequestedJob } from "../../controller/render/harvest-job.js";
import { fullInput, liveSource, renderInput } from "../../controller/render/inputs-for-tests.js";
import { renderChildren } from "../../controller/render/render-children.js";
import type { RenderInput } from "../../controller/render/render-input.js";
import { renderWithdrawJob } from "../../controller/render/withdraw-job.js";
import { resources, type Resource } from "../../controller/resources.js";
import { testCluster } from "../setup/cluster.js";

const cluster = await testCluster();
const there = cluster !== undefined;
afterAll(() => cluster?.remove());

function here(input: RenderInput): RenderInput {
  const { source } = input;
  return {
    ...input,
    source: { ...source, metadata: { ...source.metadata, namespace: cluster?.namespace ?? "" } },
  };
}

function all(input: RenderInput): readonly (readonly [Resource, KubeObject])[] {
  const { configMap, networkPolicy, cronJob } = renderChildren(input);
  return [
    [resources.configMap, configMap],
    [resources.networkPolicy, networkPolicy],
    [resources.cronJob, cronJob],
    [resources.job, renderRequestedJob(input, "2026-11-30T12:00:00Z")],
    [resources.job, renderWithdrawJob(input)],
  ];
}

const children = [here(renderInput()), here(fullInput())].flatMap((input) =>
  all(input).map(([resource, object]) => ({
    name: `${object.kind} ${object.metadata.name}`,
    resource,
    object,
  })),
);

function pathOf({ group, version, plural }: Resource): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}/namespaces/${cluster?.namespace ?? ""}/${plural}`;
}

async function dryCreate(resource: Resource, object: object) {
  return cluster!.http("POST", `${pathOf(resource)}?dryRun=All&fieldValidation=Strict`, { body: object });
}

async function apply(resource: Resource, object: KubeObject) {
  const query = "fieldManager=harvest-controller&force=true&fieldValidation=Strict";
  return cluster!.http("PATCH", `${pathOf(resource)}/${object.metadata.name}?${query}`, {
    body: object,
    type: "application/apply-patch+yaml",
  });
}

describe.runIf(there)("what is rendered", () => {
  beforeAll(async () => {
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "harvest-pod" } };
    await cluster!.http("POST", `/api/v1/namespaces/${cluster!.namespace}/serviceaccounts`, {
      body: account,
    });
  });

  it.each(children)("is taken by the API server, strictly: $name", async ({ resource, object }) => {
    const { status, text, headers } = await dryCreate(resource, object);
    expect(status, text).toBe(201);
    // Dots are allowed in the names of Jobs and CronJobs, with a warning.
    const warnings = [headers["warning"] ?? []]
      .flat()
      .filter((warning) => !warning.includes("DNS label is recommended"));
    expect(warnings).toEqual([]);
  });

  it.each(children.filter(({ object }) => object.kind !== "Job"))(
    "stays as it is when it is applied again: $name",
    async ({ resource, object }) => {
      // Without an owner that lives the garbage collector would take it.
      const orphan = { ...object, metadata: { ...object.metadata, ownerReferences: [] } };
      const first = await apply(resource, orphan);
      expect(first.status, first.text).toBe(201);
      const second = await apply(resource, orphan);
      expect(second.status, second.text).toBe(200);
      const version = (answer: typeof first) =>
        (answer.json as unknown as KubeObject).metadata.resourceVersion;
      expect(version(second)).toBe(version(first));
      await cluster!.http(
        "DELETE",
        `${pathOf(resource)}/${object.metadata.name}?propagationPolicy=Background`,
      );
    },
  );

  it.each(children.filter(({ object }) => object.kind.endsWith("Job")))(
    "makes pods that PodSecurity restricted lets in: $name",
    async ({ object }) => {
      const pod = podOf(object);
      const { status, text, headers } = await dryCreate(resources.pod, pod);
      expect(status, text).toBe(201);
      expect(headers["warning"]).toBeUndefined();
      const securityContext = { ...(pod.spec["securityContext"] as object), seccompProfile: undefined };
      const looser = await dryCreate(resources.pod, { ...pod, spec: { ...pod.spec, securityContext } });
      expect(looser.status, "the namespace enforces it").toBe(403);
    },
  );

  it.each([
    ["0 */6 * * *", 60],
    ["*/15 * * * MON", 60],
    ["50 23 * * MON-FRI", 720],
    ["55 23 31 DEC *", 30],
    ["55 23 28-31 * *", 30],
    ["55 23 1 * MON", 30],
    ["@weekly", 720],
    ["@every 6h", 60],
    [" 0\t0 ? JAN-3,12 *", 2],
    [", 0 * * *", 60],
  ])(
    "has a schedule the API server takes: %j spread over %i min",
    async (schedule, scheduleSpreadMinutes) => {
      const cronJobs = ["a", "b", "c", "d"].map((name) => {
        const source = liveSource({ schedule, scheduleSpreadMinutes }, { name });
        return renderChildren(here(renderInput({ source }))).cronJob;
      });
      for (const cronJob of cronJobs) {
        const { status, text } = await dryCreate(resources.cronJob, cronJob);
        expect(status, text).toBe(201);
      }
    },
  );
});

/** A pod as the Job controller makes it, less a priority class, which the cluster would have to have. */
function podOf(object: KubeObject): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: object;
  readonly spec: Readonly<Record<string, unknown>>;
} {
  type Template = { readonly metadata: object; readonly spec: Readonly<Record<string, unknown>> };
  const spec = object["spec"] as { jobTemplate?: { spec: { template: Template } }; template?: Template };
  const template = (spec.jobTemplate?.spec.template ?? spec.template)!;
  const metadata = { ...template.metadata, name: "pod" };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec: { ...template.spec, priorityClassName: undefined },
  };
}
