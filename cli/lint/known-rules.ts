import { didYouMean } from "../../source/did-you-mean.js";
import type { Severity } from "../../source/finding.js";
import { ruleCatalogue, type CatalogueRule } from "../../source/lint/rule-catalogue.js";
import { catalogue } from "../../source/review/catalogue.js";
import type { CatalogueEntry } from "../../source/review/catalogue/entry.js";

/** What can be listed and explained: a rule of lint, or a consequence that a review tells. */
export type KnownRule =
  | { readonly kind: "lint"; readonly rule: CatalogueRule }
  | { readonly kind: "consequence"; readonly entry: CatalogueEntry };

/** One line of `rules list`; stable names. */
export interface ListedRule {
  readonly id: string;
  /** The part before the slash; "consequence" for what `harvestctl diff` tells. */
  readonly topic: string;
  readonly severity: Severity;
  readonly title: string;
  readonly suppressible: boolean;
  readonly fixable: boolean | "some";
}

/** Every rule of lint, then every consequence; of one topic when it is named. */
export function listRules(topic?: string): readonly ListedRule[] {
  const all = [...ruleCatalogue.map(ofRule), ...catalogue.map(ofEntry)];
  return topic === undefined ? all : all.filter((rule) => rule.topic === topic);
}

/** Topics in the order of the list. */
export function ruleTopics(): readonly string[] {
  return [...new Set(listRules().map(({ topic }) => topic))];
}

/** The rule or consequence of this id, or undefined. */
export function findRule(id: string): KnownRule | undefined {
  const rule = ruleCatalogue.find((each) => each.id === id);
  if (rule !== undefined) return { kind: "lint", rule };
  const entry = catalogue.find((each) => each.id === id);
  return entry === undefined ? undefined : { kind: "consequence", entry };
}

/** The id that was perhaps meant. */
export function meantRule(written: string): string | undefined {
  const ids = listRules().map(({ id }) => id);
  return didYouMean(written, ids) ?? ids.find((id) => id.split("/")[1] === written.toLowerCase());
}

function ofRule({ id, severity, title, suppressible, fixable }: CatalogueRule): ListedRule {
  return { id, topic: id.split("/")[0] ?? "", severity, title, suppressible, fixable };
}

function ofEntry({ id, title, severities }: CatalogueEntry): ListedRule {
  return {
    id,
    topic: "consequence",
    severity: severities[0],
    title,
    suppressible: false,
    fixable: false,
  };
}
