/** All that can be installed: each overlay with all components, and what a namespace with sources has. */
import { kustomize, kustomizeTexts, folderOf, kubectl, manifestsIn, type Manifest } from "./overlays.js";

export interface Installation {
  readonly name: string;
  readonly objects: readonly Manifest[];
}

const more = ["monitoring", "database", "git-sync"];

function withComponents(overlay: string): string {
  return kustomizeTexts({
    ".": JSON.stringify({
      resources: [`{root}/manifests/install/overlays/${overlay}`],
      components: more.map((name) => `{root}/manifests/install/components/${name}`),
    }),
  });
}

/** Empty without kubectl. */
export function everything(): readonly Installation[] {
  if (kubectl === undefined) return [];
  return [
    { name: "namespaced", objects: manifestsIn(withComponents("namespaced")) },
    { name: "cluster-wide", objects: manifestsIn(withComponents("cluster-wide")) },
    { name: "high-availability", objects: manifestsIn(withComponents("high-availability")) },
    { name: "source-namespace", objects: manifestsIn(kustomize(folderOf("source-namespace"))) },
  ];
}
