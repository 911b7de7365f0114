import type { ReviewFacts, StoreFacts } from "../facts.js";
import { reviewChange } from "../review-change.js";
import { manifest, treeOf, type TestTree } from "../tree-for-tests.js";

type Spec = Readonly<Record<string, unknown>>;

/** One source called a, on both sides, with these fields beside the required ones. */
export interface OneSource {
  readonly name: string;
  readonly before?: Spec;
  readonly after?: Spec;
  readonly store?: StoreFacts;
  readonly expected: readonly string[];
}

const now = new Date("2026-11-30T10:00:00Z");

/** "severity id: sentence" of everything that is told, in order; for tests alone. */
export function told(base: TestTree, head: TestTree, facts: ReviewFacts = {}): readonly string[] {
  return reviewChange(treeOf(base), treeOf(head), { now, facts }).consequences.map(
    ({ severity, id, sentence }) => `${severity} ${id}: ${sentence}`,
  );
}

export function toldOfOne({ before, after, store }: OneSource): readonly string[] {
  return told(
    { manifests: { "a.yaml": manifest("a", before) } },
    { manifests: { "a.yaml": manifest("a", after) } },
    store === undefined ? {} : { store: new Map([["a", store]]) },
  );
}

/** 12,481 records, three in quarantine; the last full run took 31 s, 126 requests and 98 MB. */
export const known: StoreFacts = {
  records: 12481,
  quarantined: 3,
  lastRun: {
    outcome: "complete",
    endedAt: "2026-11-30T06:00:33Z",
    seconds: 31,
    read: 12481,
    requests: 126,
    bytes: 98_000_000,
  },
  lastFullRun: {
    outcome: "complete",
    endedAt: "2026-11-30T06:00:33Z",
    seconds: 31,
    read: 12481,
    requests: 126,
    bytes: 98_000_000,
  },
  longestSeconds: 31,
  skewSeconds: 42,
};
