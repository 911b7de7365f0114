import type { Api } from "./api.js";
import { keyOf, type LiveSource } from "./object.js";
import type { RecentWrites } from "./recent-writes.js";
import { resources } from "./resources.js";

/**
 * Whether the API server has moved on from the source as it was looked at. To be asked before anything is written because of
 * it: a watch may lag for as long as its silence goes unnoticed, and then a new leader would put back specs that were
 * replaced, and give children to sources that are gone. What is found is remembered, so that the next look decides from it.
 */
export async function isOutdated(
  source: LiveSource,
  { api, writes }: { readonly api: Pick<Api, "get">; readonly writes: RecentWrites },
): Promise<boolean> {
  const { uid = "", resourceVersion } = source.metadata;
  const live = await api.get(resources.harvestSource, keyOf(source));
  if (live?.metadata.resourceVersion === resourceVersion) return false;
  if (live === undefined) writes.forget(resources.harvestSource, keyOf(source), uid);
  else writes.remember(resources.harvestSource, live);
  return true;
}
