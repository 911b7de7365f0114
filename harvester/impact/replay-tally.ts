/** Adds up the verdicts of one source. Bounded, whatever the records say; the same whatever the order they come in. */
import { compareText } from "../../source/compare-text.js";
import type { Violation } from "../record.js";
import type { ImpactExample, RuleImpact, SourceReplay } from "./impact.js";
import { estimateOf } from "./estimate.js";
import type { BothVerdicts } from "./judge-both.js";

const MOST_EXAMPLES = 3;
/** Distinct rules; those beyond are counted together. */
const MOST_RULES = 200;
const MOST_TEXT = 500;

interface Rule {
  records: number;
  examples: ImpactExample[];
}

export class ReplayTally {
  #judged = 0;
  #newly = 0;
  #released = 0;
  readonly #refusals = new Map<string, Rule>();
  readonly #releases = new Map<string, Rule>();

  add(identifier: string, { base, head }: BothVerdicts): void {
    this.#judged += 1;
    if (base === undefined && head !== undefined) {
      this.#newly += 1;
      note(this.#refusals, identifier, head);
    }
    if (base !== undefined && head === undefined) {
      this.#released += 1;
      note(this.#releases, identifier, base);
    }
  }

  /** `records`: all there are of the source. */
  result(key: string, records: number): SourceReplay {
    const [judged, newlyQuarantined, released] = [this.#judged, this.#newly, this.#released];
    return {
      key,
      records,
      judged,
      newlyQuarantined,
      released,
      refusals: sorted(this.#refusals),
      releases: sorted(this.#releases),
      ...estimateOf({ records, judged, newlyQuarantined, released }),
    };
  }
}

function note(rules: Map<string, Rule>, identifier: string, violation: Violation): void {
  const name = `${violation.gate}/${violation.rule}`.slice(0, MOST_TEXT);
  const key = rules.has(name) || rules.size < MOST_RULES ? name : "other";
  const rule = rules.get(key) ?? { records: 0, examples: [] };
  rules.set(key, rule);
  rule.records += 1;
  rule.examples = [...rule.examples, exampleOf(identifier, violation)]
    .sort((a, b) => compareText(a.identifier, b.identifier) || compareText(a.sentence, b.sentence))
    .slice(0, MOST_EXAMPLES);
}

function exampleOf(identifier: string, { message, xpath, line }: Violation): ImpactExample {
  return {
    identifier: identifier.slice(0, MOST_TEXT),
    sentence: message.slice(0, MOST_TEXT),
    ...(xpath === undefined ? {} : { xpath: xpath.slice(0, MOST_TEXT) }),
    ...(line === undefined ? {} : { line }),
  };
}

function sorted(rules: ReadonlyMap<string, Rule>): readonly RuleImpact[] {
  return [...rules]
    .map(([rule, { records, examples }]) => ({ rule, records, examples }))
    .sort((a, b) => b.records - a.records || compareText(a.rule, b.rule));
}
