import { mostSevereFirst, type Finding } from "../../../source/finding.js";
import type { RuleDescriptor } from "../../../source/rule-descriptor.js";
import { ruleCatalogue } from "../../../source/lint/rule-catalogue.js";
import { catalogue } from "../../../source/review/catalogue.js";
import type { ShownReview } from "./shown-review.js";

/** Consequences, and what lint says that is new, as findings: most severe first. For SARIF and annotations. */
export function reviewFindings({ consequences, findings }: ShownReview): readonly Finding[] {
  const told = consequences.map(({ id, ...said }): Finding => ({ rule: id, ...said }));
  const fresh: readonly Finding[] = findings.filter(({ known }) => !known);
  return mostSevereFirst([...told, ...fresh]);
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
