/** Where the API server has the kinds of these tests. */
const groups = {
  harvestsources: "/apis/ingest.geoportal.io/v1",
  cronjobs: "/apis/batch/v1",
  jobs: "/apis/batch/v1",
  networkpolicies: "/apis/networking.k8s.io/v1",
  configmaps: "/api/v1",
  events: "/api/v1",
  leases: "/apis/coordination.k8s.io/v1",
} as const;

export type Plural = keyof typeof groups;

/** Without a name: all of the namespace. */
export function clusterPath(namespace: string, plural: Plural, name?: string): string {
  const all = `${groups[plural]}/namespaces/${namespace}/${plural}`;
  return name === undefined ? all : `${all}/${name}`;
}
