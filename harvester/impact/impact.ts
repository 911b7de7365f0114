/** The nouns of a replay of changed rules: what is asked, and what comes of it. */
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import type { SourceImpact } from "../../source/review/facts.js";
import type { Violation } from "../record.js";
import type { Interval } from "./interval.js";

/** One source on both sides. */
export interface ImpactPair {
  /** As in SourceChange: of the head. */
  readonly key: string;
  readonly base: HarvestSource;
  readonly head: HarvestSource;
}

/** Bytes as delivered, and what is known of their verdict already. */
export interface ImpactItem {
  readonly identifier: string;
  readonly body: Uint8Array;
  /** Verdict under the policy of the runs that stored it; absent: nobody has judged it. */
  readonly last?:
    | { readonly kind: "passed"; readonly ruleRemarks: number }
    | { readonly kind: "refused"; readonly violation: Violation };
}

export interface SurveyedSource {
  /** As the records name it. */
  readonly name: string;
  readonly prefix: string;
  /** Records that can be judged. */
  readonly items: number;
  /** Policies its records were judged by; empty = nobody has judged them. */
  readonly policies: readonly string[];
}

/** Where records come from: a store (store-items.ts) or a folder (folder-items.ts). */
export interface ImpactRecords {
  survey(sources: readonly NamedSource[]): Promise<readonly SurveyedSource[]>;
  /** Everything of one source. */
  all(name: string): AsyncIterable<ImpactItem>;
  /** A simple random sample without replacement over all of these: the same for the same seed and records. */
  sample(names: readonly string[], wish: SampleWish): Promise<(name: string) => AsyncIterable<ImpactItem>>;
}

/** What a source may be called where records lie. */
export interface NamedSource {
  readonly name: string;
  readonly prefix: string;
}

export interface SampleWish {
  readonly size: number;
  readonly seed: string;
}

/** What a replay says; JSON-safe, sorted, the same for the same records. */
export interface Impact {
  /** Records judged under both sides. */
  readonly judged: number;
  /** All there are of the sources whose policy changes. */
  readonly records: number;
  readonly newlyQuarantined: number;
  readonly released: number;
  /** Those whose policy changes and that have records, by key. */
  readonly sources: readonly SourceReplay[];
  /** Sources whose policy changes and that could not be replayed, each with its reason. */
  readonly notReplayed: readonly NotReplayed[];
  /** Of a sample alone. */
  readonly estimate?: Estimate;
}

/** Where the true numbers lie, at 95 %. */
export interface Estimate {
  readonly newlyQuarantined: Interval;
  readonly released: Interval;
}

export interface SourceReplay extends SourceImpact {
  readonly records: number;
  /** What would refuse, the most frequent first. */
  readonly refusals: readonly RuleImpact[];
  /** What would refuse no longer. */
  readonly releases: readonly RuleImpact[];
  readonly estimate?: Estimate;
}

/** One rule and the records it decides. */
export interface RuleImpact {
  /** `gate/rule`. */
  readonly rule: string;
  readonly records: number;
  /** At most three, by identifier. */
  readonly examples: readonly ImpactExample[];
}

export interface ImpactExample {
  readonly identifier: string;
  readonly sentence: string;
  readonly xpath?: string;
  readonly line?: number;
}

export interface NotReplayed {
  readonly key: string;
  /** unusable: a policy file cannot be compiled; unknown: no records; format: what is stored is of another prefix. */
  readonly reason: "unusable" | "unknown" | "format";
  readonly sentence: string;
}
