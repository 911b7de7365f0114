import type { ClusterApi } from "../controller/cluster/client.js";
import { keyOf, type LiveSource } from "../controller/object.js";
import { resources } from "../controller/resources.js";

/** Sets annotations of a source (null takes one off) and touches nothing else of it. */
export async function annotateSource(
  api: ClusterApi,
  source: LiveSource,
  annotations: Readonly<Record<string, string | null>>,
): Promise<LiveSource> {
  const { uid } = source.metadata;
  const written = await api.patch(resources.harvestSource, keyOf(source), {
    // With the uid: a source made anew meanwhile is another one.
    body: { metadata: { ...(uid !== undefined && { uid }), annotations } },
    type: "application/merge-patch+json",
    manager: "harvestctl",
  });
  return written as LiveSource;
}
