/** The kinds the controller reads or writes, and where the API server has them. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

function namespaced(apiVersion: string, kind: string, plural: string): Resource {
  return { ...splitVersion(apiVersion), kind, plural, namespaced: true };
}

function clusterWide(apiVersion: string, kind: string, plural: string): Resource {
  return { ...splitVersion(apiVersion), kind, plural, namespaced: false };
}

function splitVersion(apiVersion: string): { group: string; version: string } {
  const [first = "", second] = apiVersion.split("/");
  return second === undefined ? { group: "", version: first } : { group: first, version: second };
}

export const resources = {
  harvestSource: namespaced("ingest.geoportal.io/v1", "HarvestSource", "harvestsources"),
  cronJob: namespaced("batch/v1", "CronJob", "cronjobs"),
  job: namespaced("batch/v1", "Job", "jobs"),
  pod: namespaced("v1", "Pod", "pods"),
  configMap: namespaced("v1", "ConfigMap", "configmaps"),
  networkPolicy: namespaced("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies"),
  event: namespaced("v1", "Event", "events"),
  lease: namespaced("coordination.k8s.io/v1", "Lease", "leases"),
  namespace: clusterWide("v1", "Namespace", "namespaces"),
  customResourceDefinition: clusterWide(
    "apiextensions.k8s.io/v1",
    "CustomResourceDefinition",
    "customresourcedefinitions",
  ),
} as const satisfies Readonly<Record<string, Resource>>;

/** group/version as an object's apiVersion has it. */
export function apiVersionOf({ group, version }: Resource): string {
  return group === "" ? version : `${group}/${version}`;
}

/** `cronjobs.batch`, as RBAC and kubectl name it. */
export function resourceName({ group, plural }: Resource): string {
  return group === "" ? plural : `${plural}.${group}`;
}
