import { exceptionRules } from "./catalogue/exception-rules.js";
import { fieldRules } from "./catalogue/field-rules.js";
import { kustomizeRules, manifestRules } from "./catalogue/manifest-rules.js";
import { policyRules, scheduleRules } from "./catalogue/schedule-rules.js";
import { schemaRules } from "./catalogue/schema-rules.js";
import { textRules } from "./catalogue/text-rules.js";
import { transportRules } from "./catalogue/transport-rules.js";
import type { CatalogueRule } from "./catalogue/catalogue-rule.js";

export type { CatalogueRule } from "./catalogue/catalogue-rule.js";

/** Every rule lint can tell of, in the order of docs/lint-rules.md. A test holds it against the code and that page. */
export const ruleCatalogue: readonly CatalogueRule[] = [
  ...textRules,
  ...manifestRules,
  ...kustomizeRules,
  ...schemaRules,
  ...fieldRules,
  ...transportRules,
  ...scheduleRules,
  ...policyRules,
  ...exceptionRules,
];

const byId: ReadonlyMap<string, CatalogueRule> = new Map(ruleCatalogue.map((rule) => [rule.id, rule]));

/** The rule of this id, or undefined. */
export function catalogueRule(id: string): CatalogueRule | undefined {
  return byId.get(id);
}
