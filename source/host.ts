import type { HarvestSource } from "./harvest-source.generated.js";
import { parseAddress } from "./address.js";

/** The host a source is harvested from, in lower case without port; undefined when its baseUrl is no address. */
export function hostOf(source: HarvestSource): string | undefined {
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
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const host = hostOf(thing.source);
    if (host === undefined) continue;
    const group = groups.get(host);
    if (group === undefined) groups.set(host, [thing]);
    else group.push(thing);
  }
  return groups;
}
