import { configMapName } from "../names.js";
import type { KubeObject, LiveSource } from "../object.js";
import { resources } from "../resources.js";
import { childObject, hashOf } from "./child-object.js";
import { yamlText } from "./yaml-text.js";

export const manifestFile = "source.yaml";

/** The manifest a pod runs: the spec with every default, and of the metadata name and namespace alone. */
export function resolvedManifest({ apiVersion, kind, metadata, spec }: LiveSource): string {
  const { name, namespace } = metadata;
  return yamlText({ apiVersion, kind, metadata: { name, namespace }, spec });
}

/** Hash of the resolved manifest, in hex: another spec has another one. */
export function specHashOf(source: LiveSource): string {
  return hashOf(resolvedManifest(source));
}

/** Immutable, with a name by its content: a run that is under way keeps what it began with. */
export function renderConfigMap(source: LiveSource): KubeObject {
  return childObject(source, {
    resource: resources.configMap,
    name: configMapName(source.metadata.name, specHashOf(source)),
    role: "spec",
    content: { data: { [manifestFile]: resolvedManifest(source) }, immutable: true },
  });
}
