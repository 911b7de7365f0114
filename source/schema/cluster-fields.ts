import type { Finding } from "../finding.js";
import { placeOf, type Path } from "../yaml/node-place.js";
import type { YamlDocument } from "../yaml/documents.js";

/** Fields that only the API server and the controller write. */
const WRITTEN_BY_CLUSTER: readonly Path[] = [
  ["status"],
  ["metadata", "uid"],
  ["metadata", "resourceVersion"],
  ["metadata", "generation"],
  ["metadata", "creationTimestamp"],
  ["metadata", "managedFields"],
];

/** Warnings for a manifest that was copied out of a cluster: these fields mean nothing in Git. */
export function clusterFields(yaml: YamlDocument, value: unknown): readonly Finding[] {
  return WRITTEN_BY_CLUSTER.filter((path) => has(value, path)).map((path) => ({
    rule: "manifest/cluster-field",
    severity: "warning",
    place: placeOf(yaml, path, "key"),
    sentence: `${path.join(".")} is written by the cluster; here it is ignored.`,
    remedy: "Remove it.",
  }));
}

/** Does it hold any of them? */
export function isFromCluster(value: unknown): boolean {
  return WRITTEN_BY_CLUSTER.some((path) => has(value, path));
}

function has(value: unknown, path: Path): boolean {
  let node = value;
  for (const step of path) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, step)) return false;
    node = (node as Record<string | number, unknown>)[step];
  }
  return true;
}
