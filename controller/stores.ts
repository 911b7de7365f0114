/** What the controller keeps a copy of, and what a change of it means. */
import { withoutManagedFields } from "./cluster/cache-trim.js";
import type { Kept, Reflectors, StoreChange } from "./cluster/reflector-set.js";
import type { Listers } from "./gather.js";
import { bundleSelector, childSelector } from "./names.js";
import { resources } from "./resources.js";
import type { Change } from "./triggers.js";

export type StoreName = keyof Listers;

/** Field managers are needed where drift is judged: of sources and children, not of what the control plane makes. */
export const kept: Readonly<Record<StoreName, Kept>> = {
  sources: { resource: resources.harvestSource },
  cronJobs: { resource: resources.cronJob, labelSelector: childSelector },
  networkPolicies: { resource: resources.networkPolicy, labelSelector: childSelector },
  configMaps: { resource: resources.configMap, labelSelector: childSelector },
  bundles: { resource: resources.configMap, labelSelector: bundleSelector, trim: withoutManagedFields },
  jobs: { resource: resources.job, labelSelector: childSelector, trim: withoutManagedFields },
  pods: { resource: resources.pod, labelSelector: childSelector, trim: withoutManagedFields },
};

const kinds: Readonly<Record<StoreName, Change["kind"]>> = {
  sources: "source",
  cronJobs: "child",
  networkPolicies: "child",
  configMaps: "child",
  bundles: "bundle",
  jobs: "child",
  pods: "child",
};

export function changeOf({ name, old, object }: StoreChange<StoreName>): Change {
  return {
    kind: kinds[name],
    ...(old !== undefined && { before: old }),
    ...(object !== undefined && { after: object }),
  };
}

export function listersOf(reflectors: Pick<Reflectors<StoreName>, "lister">): Listers {
  return {
    sources: reflectors.lister("sources"),
    cronJobs: reflectors.lister("cronJobs"),
    networkPolicies: reflectors.lister("networkPolicies"),
    configMaps: reflectors.lister("configMaps"),
    bundles: reflectors.lister("bundles"),
    jobs: reflectors.lister("jobs"),
    pods: reflectors.lister("pods"),
  };
}
