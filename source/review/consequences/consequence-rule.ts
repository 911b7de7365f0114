import type { Place, Severity } from "../../finding.js";
import type { HarvestSourceSpec } from "../../harvest-source.generated.js";
import type { LocatedSource } from "../../located-source.js";
import type { Path } from "../../yaml/node-place.js";
import { explainConsequence, type ConsequenceId } from "../catalogue.js";
import type { Consequence } from "../consequence.js";
import type { StoreFacts } from "../facts.js";
import { storeFactsOf, type ReviewInput } from "../review-input.js";
import type { SourceChange } from "../source-change.js";

/** One kind of consequence, or a few that belong together. It sees the whole change; most look at it source by source. */
export type ConsequenceRule = (input: ReviewInput) => readonly Consequence[];

/** A source on both sides. */
export type PairedChange = Extract<SourceChange, { readonly kind: "changed" | "renamed" | "unchanged" }>;

/** What a rule about one source on both sides is given. */
export interface Compared {
  readonly change: PairedChange;
  readonly before: HarvestSourceSpec;
  readonly after: HarvestSourceSpec;
  readonly store?: StoreFacts;
  readonly input: ReviewInput;
}

/** What a rule says; the severity is the usual one of the catalogue unless it says another. */
export interface Saying {
  readonly id: ConsequenceId;
  readonly severity?: Severity;
  readonly sentence: string;
  readonly remedy?: string;
}

/** A rule about each source that stands on both sides and is not the same. */
export function eachChanged(check: (compared: Compared) => readonly Consequence[]): ConsequenceRule {
  return (input) =>
    input.changes.flatMap((change) => (isPaired(change) ? check(compared(input, change)) : []));
}

function isPaired(change: SourceChange): change is PairedChange {
  return change.kind === "changed" || change.kind === "renamed";
}

function compared(input: ReviewInput, change: PairedChange): Compared {
  const store = storeFactsOf(input, change);
  return {
    change,
    before: change.base.source.spec,
    after: change.head.source.spec,
    ...(store === undefined ? {} : { store }),
    input,
  };
}

/** About a source on both sides, at a field of the head. */
export function tell({ change }: Compared, at: Path, saying: Saying): Consequence {
  return tellAt(change.head.place(at), change.key, saying);
}

/** About a source on one side, at a field of it. */
export function tellOf(located: LocatedSource, key: string, saying: Saying): Consequence {
  return tellAt(located.place(["metadata", "name"]), key, saying);
}

/** About a source, or the policy as a whole (undefined), at any place. */
export function tellAt(place: Place, source: string | undefined, saying: Saying): Consequence {
  const { id, sentence, remedy } = saying;
  return {
    id,
    severity: saying.severity ?? explainConsequence(id)?.severities[0] ?? "warning",
    ...(source === undefined ? {} : { source }),
    sentence,
    ...(remedy === undefined ? {} : { remedy }),
    place,
  };
}
