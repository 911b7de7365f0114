/** The scripts for Argo CD, run; and its examples, held against what they point at. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { findLua, runLua } from "../setup/lua.js";
import { idOf, kubectl, kustomize, manifestsIn, manifestsOf, readFile, root } from "./overlays.js";

const folder = "manifests/argocd/resource_customizations/ingest.geoportal.io/HarvestSource";
const lua = findLua();

interface HealthTests {
  readonly tests: readonly { readonly inputPath: string; readonly healthStatus: object }[];
}

interface ActionTests {
  readonly discoveryTests: readonly {
    readonly inputPath: string;
    readonly result: readonly { readonly name: string; readonly disabled: boolean }[];
  }[];
  readonly actionTests: readonly {
    readonly action: string;
    readonly inputPath: string;
    readonly expectedOutputPath: string;
  }[];
}

function yaml(path: string): unknown {
  return parse(readFile(`${folder}/${path}`)) as unknown;
}

const { tests: healthTests } = yaml("health_test.yaml") as HealthTests;
const { discoveryTests, actionTests } = yaml("actions/action_test.yaml") as ActionTests;

describe.skipIf(lua === undefined)("the scripts for Argo CD", () => {
  it.each(healthTests)("judge $inputPath", ({ inputPath, healthStatus }) => {
    expect(runLua(lua!, readFile(`${folder}/health.lua`), yaml(inputPath))).toEqual(healthStatus);
  });

  it.each(discoveryTests)("offer for $inputPath", ({ inputPath, result }) => {
    const offered = runLua(lua!, readFile(`${folder}/actions/discovery.lua`), yaml(`actions/${inputPath}`));
    expect(offered).toEqual(Object.fromEntries(result.map(({ name, disabled }) => [name, { disabled }])));
  });

  it.each(actionTests)("$action $inputPath", ({ action, inputPath, expectedOutputPath }) => {
    const script = readFile(`${folder}/actions/${action}/action.lua`);
    expect(runLua(lua!, script, yaml(`actions/${inputPath}`))).toEqual(yaml(`actions/${expectedOutputPath}`));
  });

  it("run in a sandbox that would show a library Argo CD does not have", () => {
    expect(() => runLua(lua!, 'return string.rep("a", 3)', {})).toThrow(/string/);
    expect(() => runLua(lua!, 'return require("io")', {})).toThrow(/no library io/);
  });
});

describe("argocd-cm.yaml", () => {
  const { data } = parse(readFile("manifests/argocd/argocd-cm.yaml")) as {
    data: Readonly<Record<string, string>>;
  };
  const key = "ingest.geoportal.io_HarvestSource";

  it("holds the scripts that are tested", () => {
    expect(data[`resource.customizations.health.${key}`]).toBe(readFile(`${folder}/health.lua`));
    const actions = parse(data[`resource.customizations.actions.${key}`] ?? "") as unknown;
    expect(actions).toEqual({
      "discovery.lua": readFile(`${folder}/actions/discovery.lua`),
      definitions: ["run-now", "pause", "resume"].map((name) => ({
        name,
        "action.lua": readFile(`${folder}/actions/${name}/action.lua`),
      })),
    });
  });

  it("does not let each new status refresh the application", () => {
    expect(parse(data[`resource.customizations.ignoreResourceUpdates.${key}`] ?? "")).toEqual({
      jsonPointers: ["/status"],
    });
  });
});

interface Application {
  readonly source: { readonly path: string };
  readonly destination: { readonly namespace?: string };
  readonly syncPolicy: { readonly automated: object; readonly syncOptions: readonly string[] };
}

describe("the applications for Argo CD", () => {
  const applications = ["controller", "sources"].map((name) => {
    const [object] = manifestsOf(`manifests/argocd/application-${name}.yaml`);
    return { name, ...object!, spec: object!["spec"] as Application };
  });

  it.each(applications)(
    "$name: a path that is there, server-side apply and diff, self-heal",
    (application) => {
      const { spec, metadata } = application;
      expect(existsSync(join(root, spec.source.path)), spec.source.path).toBe(true);
      expect(metadata.annotations?.["argocd.argoproj.io/compare-options"]).toBe("ServerSideDiff=true");
      expect(spec.syncPolicy.syncOptions).toContain("ServerSideApply=true");
      expect(spec.syncPolicy.automated).toMatchObject({ prune: true, selfHeal: true });
    },
  );

  it("come one after the other, and the sources bear that the definition is not there yet", () => {
    const waves = applications.map(({ metadata }) =>
      Number(metadata.annotations?.["argocd.argoproj.io/sync-wave"]),
    );
    expect(waves).toEqual([-2, 0]);
    expect(applications[1]?.spec.syncPolicy.syncOptions).toContain("SkipDryRunOnMissingResource=true");
  });

  it.skipIf(kubectl === undefined)("put definition and namespace first, and never take them away", () => {
    const objects = manifestsIn(kustomize(join(root, "manifests/argocd/install")));
    const first = objects.filter(
      ({ metadata }) => metadata.annotations?.["argocd.argoproj.io/sync-wave"] === "-3",
    );
    expect(first.map(idOf)).toEqual([
      "Namespace /harvest",
      "CustomResourceDefinition /harvestsources.ingest.geoportal.io",
    ]);
    for (const { metadata } of first)
      expect(metadata.annotations?.["argocd.argoproj.io/sync-options"]).toBe("Prune=false,Delete=false");
  });
});
