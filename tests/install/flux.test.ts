/** The example for Flux: everything it names is there, and its patches do what they say. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { idOf, kubectl, kustomizeTexts, manifestsIn, manifestsOf, root, type Manifest } from "./overlays.js";

interface Kustomization {
  readonly sourceRef: { readonly kind: string; readonly name: string };
  readonly path: string;
  readonly prune: boolean;
  readonly wait?: boolean;
  readonly targetNamespace?: string;
  readonly dependsOn?: readonly { readonly name: string }[];
  readonly healthChecks?: readonly Readonly<Record<"apiVersion" | "kind" | "name" | "namespace", string>>[];
  readonly patches?: readonly { readonly target: object; readonly patch: string }[];
}

interface References {
  readonly providerRef: { readonly name: string };
  readonly eventSources: readonly { readonly kind: string; readonly name: string }[];
}

const files = ["git-repository", "controller", "sources", "alert"];
const objects = files.flatMap((name) => manifestsOf(`manifests/flux/${name}.yaml`));

function named(kind: string, name: string): Manifest {
  return objects.find((object) => object.kind === kind && object.metadata.name === name)!;
}
const controller = named("Kustomization", "harvest-controller")["spec"] as Kustomization;
const sources = named("Kustomization", "harvest-sources")["spec"] as Kustomization;

describe("the example for Flux", () => {
  it("speaks the versions Flux serves, all in its own namespace", () => {
    expect(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      "source.toolkit.fluxcd.io/v1 GitRepository",
      "kustomize.toolkit.fluxcd.io/v1 Kustomization",
      "kustomize.toolkit.fluxcd.io/v1 Kustomization",
      "notification.toolkit.fluxcd.io/v1beta3 Provider",
      "notification.toolkit.fluxcd.io/v1beta3 Alert",
    ]);
    expect(new Set(objects.map(({ metadata }) => metadata.namespace))).toEqual(new Set(["flux-system"]));
  });

  it("is complete: its own kustomization lists every file", () => {
    const [kustomization] = manifestsOf("manifests/flux/kustomization.yaml");
    expect(kustomization!["resources"]).toEqual(files.map((name) => `${name}.yaml`));
  });

  it("finds what it refers to", () => {
    for (const { path, sourceRef, dependsOn = [] } of [controller, sources]) {
      expect(existsSync(join(root, path)), path).toBe(true);
      expect(named(sourceRef.kind, sourceRef.name)).toBeDefined();
      for (const { name } of dependsOn) expect(named("Kustomization", name)).toBeDefined();
    }
    const { providerRef, eventSources } = named("Alert", "harvest")["spec"] as References;
    expect(named("Provider", providerRef.name)).toBeDefined();
    for (const { kind, name } of eventSources) expect(named(kind, name)).toBeDefined();
  });

  it("delivers sources after the controller, waits for them, and takes away what left Git", () => {
    expect(sources).toMatchObject({
      dependsOn: [{ name: "harvest-controller" }],
      wait: true,
      prune: true,
      targetNamespace: "harvest",
    });
  });

  it.skipIf(kubectl === undefined)(
    "waits for what the install has, and keeps definition and namespace for ever",
    () => {
      const text = stringify({ resources: ["{root}/manifests/install"], patches: controller.patches });
      const installed = manifestsIn(kustomizeTexts({ ".": text }));
      const ids = installed.map(idOf);
      for (const { kind, name, namespace = "" } of controller.healthChecks ?? [])
        expect(ids).toContain(`${kind} ${namespace}/${name}`);
      const kept = installed.filter(
        ({ metadata }) => metadata.annotations?.["kustomize.toolkit.fluxcd.io/prune"] === "disabled",
      );
      expect(kept.map(idOf)).toEqual([
        "Namespace /harvest",
        "CustomResourceDefinition /harvestsources.ingest.geoportal.io",
      ]);
    },
  );
});
