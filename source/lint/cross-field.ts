import { compileRules, verdictsOf, type CrdVerdict } from "../cel/crd-verdicts.js";
import { crdRules } from "../cel/rules.generated.js";
import type { Finding } from "../finding.js";
import type { LocatedSource } from "../located-source.js";
import { unaskableAddresses } from "./address-rules.js";
import { crossFieldIds, type CrossFieldId } from "./cross-field-ids.js";
import { eachSource, findingAt, type LintRule } from "./lint-rule.js";

/** The CRD's own CEL rules, so that lint says before the merge what admission would say after it. */
export const crossField: LintRule = eachSource(crossFieldFindings);

/** Compiled at the first source. */
let rules: ReturnType<typeof compileRules> | undefined;

/** Of one source. A run asks this too: admission is not everywhere, and a pod must not start on less. */
export function crossFieldFindings(located: LocatedSource): readonly Finding[] {
  rules ??= compileRules(crdRules.filter(({ message }) => crossFieldIds[message]?.elsewhere !== true));
  const findings = verdictsOf(rules, located.source).map((verdict) => findingOf(located, verdict));
  return [...findings, ...unaskableAddresses(located, new Set(findings.map(({ rule }) => rule)))];
}

function findingOf(located: LocatedSource, { rule, at, message }: CrdVerdict): Finding {
  const { rule: id, remedy } = idOf(rule.message);
  return findingAt(located, at, { rule: id, severity: "error", sentence: `${message}.`, remedy });
}

function idOf(message: string): CrossFieldId {
  const id = crossFieldIds[message];
  if (id === undefined) throw new RangeError(`The CRD's rule has no id in source/lint: ${message}`);
  return id;
}
