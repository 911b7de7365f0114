import { groupBy } from "./group-by.js";
import type { HarvestSource } from "./harvest-source.generated.js";
import { parseAddress } from "./address.js";

/** The host a source is harvested from, in lower case without port; undefined when its baseUrl is no address. */
export function hostOf(source: Pick<HarvestSource, "spec">): string | undefined {
  return parseAddress(source.spec.baseUrl)?.hostname;
}

/** Is this source harvested from this host (given as `hostOf` gives it)? */
export function sourceUsesHost(source: HarvestSource, host: string): boolean {
  return hostOf(source) === host;
}

/** Things that have a source, by the host it is harvested from, hosts and things in the order they came. */
export function groupByHost<T extends { readonly source: HarvestSource }>(
  things: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = groupBy(things, ({ source }) => hostOf(source));
  return new Map(
    [...groups].flatMap(([host, group]) => (host === undefined ? [] : [[host, group] as const])),
  );
}
