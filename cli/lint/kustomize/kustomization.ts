import type { YamlDocument } from "../../../source/yaml/documents.js";
import type { Fields } from "./built-object.js";

/** Names kustomize knows its file by. */
export const kustomizationNames: readonly string[] = [
  "kustomization.yaml",
  "kustomization.yml",
  "Kustomization",
];

/** A kustomization as it was read. */
export interface Kustomization {
  /** As it is named in findings. */
  readonly folder: string;
  readonly yaml: YamlDocument;
  readonly fields: Fields;
}

/** Fields that can change a source in ways that are not followed here. */
export const notFollowed: readonly string[] = [
  "configurations",
  "generators",
  "helmChartInflationGenerator",
  "helmCharts",
  "openapi",
  "replacements",
  "transformers",
  "vars",
];

/** Every field kustomize knows (kustomize.config.k8s.io/v1beta1, Component v1alpha1). */
export const knownFields: readonly string[] = [
  ...notFollowed,
  "apiVersion",
  "kind",
  "metadata",
  "bases",
  "buildMetadata",
  "commonAnnotations",
  "commonLabels",
  "components",
  "configMapGenerator",
  "crds",
  "generatorOptions",
  "helmGlobals",
  "images",
  "labels",
  "namePrefix",
  "nameSuffix",
  "namespace",
  "patches",
  "patchesJson6902",
  "patchesStrategicMerge",
  "replicas",
  "resources",
  "secretGenerator",
  "sortOptions",
  "validators",
];

/** Is this no path in the repository? As kustomize tells them: URLs and Git addresses. */
export function isRemote(resource: string): boolean {
  return (
    /:\/\/|^git(hub\.com[/:]|::|@)|[?&]ref=|^[\w.-]+@[\w.-]+:/.test(resource) ||
    /^(gitlab\.com|bitbucket\.org)[/:]/.test(resource)
  );
}
