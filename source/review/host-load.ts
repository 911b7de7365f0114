import { compareText } from "../compare-text.js";
import { ceilingFor, type Ceiling } from "../fair-use.js";
import { groupByHost, hostOf } from "../host.js";
import type { LocatedSource } from "../located-source.js";
import type { PolicyTree } from "./policy-tree.js";
import { keyOf } from "./source-key.js";

/** What all sources of a host ask of it together. */
export interface HostLoad {
  /** Those that are not suspended, sorted by key. */
  readonly sources: readonly LocatedSource[];
  /** Requests in flight at once, summed over them. */
  readonly inFlight: number;
  /** Absent = nobody wrote one down. */
  readonly ceiling?: Ceiling;
}

/** The load of every host of a side; a host it does not know has no sources, but may have a ceiling. */
export type HostLoads = (host: string) => HostLoad;

/** Adds every host up once, so that asking costs nothing. */
export function hostLoads(tree: PolicyTree): HostLoads {
  const active = tree.sources.filter(({ source }) => !source.spec.suspend).sort(byKey);
  const loads = new Map<string, HostLoad>();
  for (const [host, sources] of groupByHost(active)) {
    const inFlight = sources.reduce((sum, { source }) => sum + source.spec.concurrency.maxRequests, 0);
    loads.set(host, { sources, inFlight, ...ceilingOf(tree, host) });
  }
  return (host) => loads.get(host) ?? { sources: [], inFlight: 0, ...ceilingOf(tree, host) };
}

function ceilingOf({ fairUse }: PolicyTree, host: string): { readonly ceiling?: Ceiling } {
  const ceiling = ceilingFor(fairUse, host);
  return ceiling === undefined ? {} : { ceiling };
}

/** The host a source is harvested from; an address that is none (lint refuses it) is shown as it is. */
export function hostText({ source }: LocatedSource): string {
  return hostOf(source) ?? source.spec.baseUrl;
}

function byKey(a: LocatedSource, b: LocatedSource): number {
  return compareText(keyOf(a), keyOf(b));
}
