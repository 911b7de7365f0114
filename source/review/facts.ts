/** What a store knows of a source: makes estimates of a review real. */
export interface StoreFacts {
  /** Alive in the catalogue. */
  readonly records: number;
  /** Open quarantine entries. */
  readonly quarantined: number;
  /** The last run that ended, whatever its outcome. */
  readonly lastRun?: RunFacts;
  /** The last complete run that read at least nine tenths of the records: what reading all again costs. */
  readonly lastFullRun?: RunFacts;
  /** Longest run of the last ten, in seconds. */
  readonly longestSeconds?: number;
  /** Largest difference seen between the source's clock and ours, in seconds. */
  readonly skewSeconds?: number;
}

export interface RunFacts {
  readonly outcome: string;
  /** ISO 8601. */
  readonly endedAt: string;
  readonly seconds: number;
  readonly read: number;
  readonly requests: number;
  readonly bytes: number;
}

/** What a cluster says of a source (--live). */
export interface LiveFacts {
  /** Fields that differ from the base already: a hand edit nobody reviewed. */
  readonly drift: readonly LiveDrift[];
  /** What the API server would say to the head; absent = it was not asked. */
  readonly dryRun?: { readonly accepted: boolean; readonly messages: readonly string[] };
}

export interface LiveDrift {
  readonly field: string;
  readonly base?: unknown;
  readonly live?: unknown;
  /** Field manager. */
  readonly manager?: string;
  /** ISO 8601. */
  readonly time?: string;
}

/** What is known beyond the two trees; keys are those of SourceChange. */
export interface ReviewFacts {
  /** Absent = no store was asked. */
  readonly store?: ReadonlyMap<string, StoreFacts>;
  /** Absent = no cluster was asked. */
  readonly live?: ReadonlyMap<string, LiveFacts>;
  /** What changed rules do to stored records (harvestctl impact); absent = not replayed. */
  readonly impact?: ImpactFacts;
}

/** Sums of a replay of changed rules and schemas. */
export interface ImpactFacts {
  /** Records judged under both sides. */
  readonly judged: number;
  /** All there are; more than judged when it was a sample. */
  readonly records: number;
  readonly sources: readonly SourceImpact[];
}

export interface SourceImpact {
  readonly key: string;
  readonly judged: number;
  readonly newlyQuarantined: number;
  readonly released: number;
}
