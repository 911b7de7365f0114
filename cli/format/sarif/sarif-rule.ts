import type { RuleDescriptor } from "../../../source/rule-descriptor.js";
import type { SarifRule } from "./sarif-shape.js";

/** A rule as code scanning shows it beside a result. */
export function sarifRule(rule: RuleDescriptor): SarifRule {
  const { id, title, explanation, severity, helpUri } = rule;
  const more = `harvestctl rules explain ${id}`;
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: explanation },
    help: { text: `${explanation} More: ${more}`, markdown: `${explanation}\n\nMore: \`${more}\`` },
    ...(helpUri === undefined ? {} : { helpUri }),
    defaultConfiguration: { level: severity === "info" ? "note" : severity },
    properties: { tags: ["harvest", ...topic(id)] },
  };
}

/** `schedule/never-runs` belongs to schedule. */
function topic(id: string): readonly string[] {
  const slash = id.indexOf("/");
  return slash > 0 ? [id.slice(0, slash)] : [];
}
