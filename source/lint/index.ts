import { compareFindings, type Finding } from "../finding.js";
import type { LocatedSource } from "../located-source.js";
import { admission } from "./admission.js";
import { cleartext } from "./cleartext.js";
import { crossField } from "./cross-field.js";
import { duplicateEndpoint, duplicateName } from "./duplicates.js";
import { fairUseCeiling } from "./fair-use-ceiling.js";
import type { LintContext, LintRule } from "./lint-rule.js";
import { overlap } from "./overlap.js";
import { policyFiles } from "./policy-files.js";
import { prefix } from "./prefix.js";
import { schedule } from "./schedule.js";
import { timeZone } from "./time-zone.js";

/** What is asked of every set of sources, in this order. The schema was asked before, by source/parse.ts. */
export const lintRules: readonly LintRule[] = [
  crossField,
  schedule,
  timeZone,
  policyFiles,
  prefix,
  fairUseCeiling,
  admission,
  duplicateName,
  duplicateEndpoint,
  cleartext,
  overlap,
];

/** Every finding of every rule, from top to bottom of the files. */
export function lint(sources: readonly LocatedSource[], context: LintContext): readonly Finding[] {
  return lintRules.flatMap((rule) => rule(sources, context)).sort(compareFindings);
}
