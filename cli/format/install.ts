/** What harvestctl install says beside what it prints: what is not as it should be in production, and what comes next. */
export interface InstallFacts {
  readonly shape: "namespaced" | "cluster-wide" | "high-availability" | "source-namespace";
  readonly namespace: string;
  readonly images: { readonly controller?: string | undefined; readonly harvester?: string | undefined };
  /** Are there ceilings in the policy? */
  readonly fairUse: boolean;
  readonly warnings: readonly string[];
}

export function installNotes(facts: InstallFacts): readonly string[] {
  const { shape, namespace, fairUse, warnings } = facts;
  const hasPods = shape === "namespaced" || shape === "source-namespace";
  return [
    ...warnings.map((warning) => `warning: ${warning}`),
    ...(shape === "source-namespace" ? [] : imageNotes(facts.images)),
    ...(fairUse || shape === "source-namespace"
      ? []
      : ["warning: There is no rules/fair-use.yaml: admission refuses no source for asking too much."]),
    hasPods
      ? `Next: kubectl create secret generic harvest-database -n ${namespace} --from-file=DATABASE_URL=FILE`
      : "Next, for each namespace with sources: harvestctl install --print --overlay source-namespace --namespace NAMESPACE",
  ];
}

function imageNotes(images: InstallFacts["images"]): readonly string[] {
  return (["controller", "harvester"] as const).flatMap((which) => {
    const image = images[which];
    if (image === undefined)
      return [`warning: --image-${which} is not set: a placeholder stands there, and no pod will start.`];
    return image.includes("@sha256:")
      ? []
      : [`warning: ${image} is no digest: what runs may change without anybody reviewing it.`];
  });
}
