import { compareText } from "../compare-text.js";
import type { ReviewFacts, StoreFacts } from "./facts.js";
import { hostLoads, hostText, type HostLoads } from "./host-load.js";
import { pairSources } from "./pair-sources.js";
import type { PolicyTree } from "./policy-tree.js";
import type { SourceChange } from "./source-change.js";
import { knownKey } from "./source-key.js";

/** Everything a rule of consequences may ask; worked out once. */
export interface ReviewInput {
  readonly base: PolicyTree;
  readonly head: PolicyTree;
  /** Every source, the unchanged ones too, sorted by key. */
  readonly changes: readonly SourceChange[];
  readonly baseLoads: HostLoads;
  readonly headLoads: HostLoads;
  /** Hosts of head whose ceiling is not that of base, sorted. */
  readonly ceilingHosts: readonly string[];
  readonly facts: ReviewFacts;
}

export function reviewInput(base: PolicyTree, head: PolicyTree, facts: ReviewFacts): ReviewInput {
  const baseLoads = hostLoads(base);
  const headLoads = hostLoads(head);
  return {
    base,
    head,
    changes: pairSources(base, head),
    baseLoads,
    headLoads,
    ceilingHosts: hostsOf(head).filter(
      (host) => baseLoads(host).ceiling?.maxRequests !== headLoads(host).ceiling?.maxRequests,
    ),
    facts,
  };
}

/** What the store knows of a source; undefined = no store was asked, or it never saw it. */
export function storeFactsOf({ facts }: ReviewInput, change: SourceChange): StoreFacts | undefined {
  return facts.store?.get(knownKey(change));
}

function hostsOf(tree: PolicyTree): readonly string[] {
  const hosts = tree.sources.map(hostText);
  return [...new Set(hosts)].sort(compareText);
}
