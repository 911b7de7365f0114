import type { Finding, Place } from "./finding.js";
import type { HarvestSource } from "./harvest-source.generated.js";
import type { Path } from "./yaml/node-place.js";

/** A manifest with its defaults filled in, and the way back to where each field was written. */
export interface LocatedSource {
  readonly source: HarvestSource;
  readonly file: string;
  /** Of a field's value (or, for maps, lists and "key", its key); of the nearest parent where it was not written. */
  place(path: Path, part?: "key" | "value"): Place;
  /** Does the text give this field a value? False where it is absent or empty: the value is a default, or there is none. */
  written(path: Path): boolean;
}

/** What a text held: sources without a finding of severity error, and every finding. */
export interface Parsed {
  readonly sources: readonly LocatedSource[];
  readonly findings: readonly Finding[];
}
