import type { Finding } from "../../../source/finding.js";
import type { RuleDescriptor } from "../../../source/rule-descriptor.js";
import { ruleCatalogue } from "../../../source/lint/rule-catalogue.js";
import { catalogue } from "../../../source/review/catalogue.js";
import { sortBySeverity } from "./markdown-table.js";
import type { ShownReview } from "./shown-review.js";

/** Consequences, and what lint says that is new, as findings: most severe first. For SARIF and annotations. */
export function reviewFindings({ consequences, findings }: ShownReview): readonly Finding[] {
  const told = consequences.map(({ id, severity, sentence, remedy, place }): Finding => ({
    rule: id,
    severity,
    place,
    sentence,
    ...(remedy === undefined ? {} : { remedy }),
  }));
  const fresh = findings
    .filter(({ known }) => !known)
    .map(({ rule, severity, place, sentence, remedy }): Finding => ({
      rule,
      severity,
      place,
      sentence,
      ...(remedy === undefined ? {} : { remedy }),
    }));
  return sortBySeverity([...told, ...fresh]);
}

/** All that may be told of a review: rules of lint and kinds of consequences (their ids have no slash). */
export function reviewRules(): readonly RuleDescriptor[] {
  const kinds = catalogue.map(({ id, severities: [severity], title, told, means }) => ({
    id,
    title,
    explanation: `${told} ${means}`,
    severity,
  }));
  return [...kinds, ...ruleCatalogue];
}
