import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { parseManifests } from "../../source/parse.js";
import { annotations } from "../names.js";
import type { KubeObject } from "../object.js";
import { renderRequestedJob } from "./harvest-job.js";
import { fullInput, liveSource, renderInput } from "./inputs-for-tests.js";
import { renderChildren } from "./render-children.js";
import type { RenderInput } from "./render-input.js";
import { renderWithdrawJob } from "./withdraw-job.js";

const requestedAt = "2026-11-30T12:00:00Z";

function golden(name: string): readonly KubeObject[] {
  const text = readFileSync(join(import.meta.dirname, `golden/${name}.yaml`), "utf8");
  return parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
}

function rendered(input: RenderInput): readonly KubeObject[] {
  const { configMap, networkPolicy, cronJob } = renderChildren(input);
  return [
    configMap,
    networkPolicy,
    cronJob,
    renderRequestedJob(input, requestedAt),
    renderWithdrawJob(input),
  ];
}

/** The hash of everything else is tested by itself. */
function withoutHash({ metadata, ...rest }: KubeObject): KubeObject {
  const { [annotations.renderedHash]: hash, ...others } = metadata.annotations ?? {};
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  return { ...rest, metadata: { ...metadata, annotations: others } } as KubeObject;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function manifestOf(configMap: KubeObject | undefined): string {
  return (configMap?.["data"] as { "source.yaml": string })["source.yaml"];
}

describe("the children of a source", () => {
  it("are these when the manifest says as little as it may", () => {
    expect(rendered(renderInput()).slice(0, 3).map(withoutHash)).toEqual(golden("minimal"));
  });

  it("are these when it says all there is, with runs asked for and withdrawal", () => {
    expect(rendered(fullInput()).map(withoutHash)).toEqual(golden("full"));
  });

  it.each(["minimal", "full"])("have a ConfigMap with a name by its content (%s)", (name) => {
    const [configMap] = golden(name);
    const hash = sha256(manifestOf(configMap));
    expect(configMap?.metadata.name.endsWith(`-${hash.slice(0, 10)}`)).toBe(true);
    expect(renderChildren(name === "full" ? fullInput() : renderInput()).specHash).toBe(hash);
  });

  it("tell the schedule that was installed", () => {
    // SHA-256 of the name begins with a number that is 20 modulo 30.
    expect(renderChildren(fullInput()).schedule).toEqual({ schedule: "10 0 * * TUE", offsetMinutes: 20 });
    expect(renderChildren(renderInput()).schedule).toEqual({ schedule: "0 */6 * * *", offsetMinutes: 0 });
  });

  it("carry a manifest the pod reads back without a finding", () => {
    for (const { source } of [renderInput(), fullInput()]) {
      const text = manifestOf(renderChildren(renderInput({ source })).configMap);
      const { sources, findings } = parseManifests(text, { file: "source.yaml", named: true });
      expect(findings).toEqual([]);
      const { name, namespace } = source.metadata;
      expect(sources[0]?.source).toEqual({
        apiVersion: "ingest.geoportal.io/v1",
        kind: "HarvestSource",
        metadata: { name, namespace },
        spec: source.spec,
      });
    }
  });
});

describe("equal input", () => {
  it("gives equal bytes, in whatever order its keys came", () => {
    const { source, settings, ...rest } = fullInput();
    const backwards = renderInput({
      ...rest,
      source: { ...source, spec: reversed(source.spec) },
      settings: {
        ...settings,
        resources: reversed(settings.resources),
        nodeSelector: reversed({ b: "2", a: "1" }),
      },
    });
    const forwards = renderInput({
      ...rest,
      source,
      settings: { ...settings, nodeSelector: { a: "1", b: "2" } },
    });
    expect(JSON.stringify(rendered(backwards))).toBe(JSON.stringify(rendered(forwards)));
  });

  it("is equal input whatever happens to the source's other metadata and status", () => {
    const touched = liveSource(
      {},
      { resourceVersion: "9", generation: 9, labels: { a: "b" }, annotations: { c: "d" }, managedFields: [] },
    );
    expect(rendered(renderInput({ source: { ...touched, status: { records: 7 } } }))).toEqual(
      rendered(renderInput()),
    );
  });

  function reversed<T extends object>(value: T): T {
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, inner]: [string, unknown]) => [
          key,
          typeof inner === "object" && inner !== null && !Array.isArray(inner) ? reversed(inner) : inner,
        ]),
    ) as T;
  }
});

describe("what changes", () => {
  function hashes(input: RenderInput) {
    const { configMap, networkPolicy, cronJob } = renderChildren(input);
    return [configMap, networkPolicy, cronJob].map(
      ({ metadata }) => metadata.annotations?.[annotations.renderedHash],
    );
  }
  const [configMap, networkPolicy, cronJob] = hashes(renderInput());

  it.each([
    {
      name: "the spec",
      given: { source: liveSource({ metadataPrefix: "oai_dc" }) },
      same: [false, true, false],
    },
    {
      name: "the port",
      given: { source: liveSource({ baseUrl: "https://metadata.state.example.gov:8443/oai" }) },
      same: [false, false, false],
    },
    { name: "the brake", given: { suspended: true }, same: [true, true, false] },
    { name: "the bundle", given: { bundle: { name: "other", digest: "00" } }, same: [true, true, false] },
    {
      name: "the image",
      given: { settings: { ...renderInput().settings, image: "other@sha256:00" } },
      same: [true, true, false],
    },
    {
      name: "the source's life",
      given: { source: liveSource({}, { uid: "0-1" }) },
      same: [false, false, false],
    },
  ])("with $name shows in the hashes", ({ given, same }) => {
    const changed = hashes(renderInput(given));
    expect([changed[0] === configMap, changed[1] === networkPolicy, changed[2] === cronJob]).toEqual(same);
  });

  it.each([
    { paused: false, spec: false, suspend: false },
    { paused: true, spec: false, suspend: true },
    { paused: false, spec: true, suspend: true },
    { paused: true, spec: true, suspend: true },
  ])("suspends ($paused by annotation, $spec by review)", ({ paused, spec, suspend }) => {
    const input = renderInput({ suspended: paused, source: liveSource({ suspend: spec }) });
    expect(renderChildren(input).cronJob["spec"]).toMatchObject({ suspend });
  });
});

describe("names and marks", () => {
  it("copy nothing of what Flux and Argo CD leave on the source", () => {
    const text = JSON.stringify(rendered(fullInput()));
    for (const mark of ["argocd", "kustomize", "fluxcd", "app.kubernetes.io/instance", "server move"])
      expect(text).not.toContain(mark);
  });

  it("stay within what the API server takes for a name of 44 characters", () => {
    const [configMapName, policyName, cronJobName, requested, withdraw] = rendered(fullInput()).map(
      ({ metadata }) => metadata.name.length,
    );
    expect([configMapName, policyName, cronJobName, requested, withdraw]).toEqual([63, 52, 52, 63, 63]);
  });

  it("make one Job of one request, and another of another", () => {
    const name = (at: string) => renderRequestedJob(renderInput(), at).metadata.name;
    // SHA-256 of 2026-11-30T12:00:00Z
    expect(name(requestedAt)).toBe(`harvest-state-${sha256(requestedAt).slice(0, 10)}`);
    expect(name(requestedAt)).toBe(name(requestedAt));
    expect(name("again")).not.toBe(name(requestedAt));
  });

  it("tell a request back, but not the whole of one that is too long", () => {
    const told = renderRequestedJob(renderInput(), "x".repeat(100_000)).metadata.annotations;
    expect(told?.[annotations.requestedAt]).toBe("x".repeat(256));
  });

  it("need the uid of a source that lives in a cluster", () => {
    const source = { ...liveSource(), metadata: { name: "state", namespace: "harvest" } };
    expect(() => renderChildren(renderInput({ source }))).toThrow(/no uid/);
  });
});
