import type { Finding } from "../finding.js";
import type { LocatedSource } from "../located-source.js";
import { eachSource, findingAt, type LintContext, type LintRule, type PolicyFileKind } from "./lint-rule.js";
import type { Path } from "../yaml/node-place.js";

export interface PolicyReference {
  readonly kind: PolicyFileKind;
  /** Relative to the policy root. */
  readonly file: string;
  readonly path: Path;
}

/** Every file of the policy that a source names, and where it names it. */
export function policyReferences({ source }: Pick<LocatedSource, "source">): readonly PolicyReference[] {
  return (["xsd", "schematron"] as const).flatMap((kind) => {
    const named = source.spec.validation[kind];
    const path = ["spec", "validation", kind];
    if (named === undefined) return [];
    if (typeof named === "string") return [{ kind, file: named, path }];
    return named.map((file, i) => ({ kind, file, path: [...path, i] }));
  });
}

/** Schemas and rule sets exist under the policy root, and load. */
export const policyFiles: LintRule = eachSource((located, context) => [
  ...policyReferences(located).flatMap((reference) => checked(located, reference, context)),
  ...phase(located),
]);

function checked(
  located: LocatedSource,
  { kind, file, path }: PolicyReference,
  context: LintContext,
): readonly Finding[] {
  const check = context.checkPolicyFile(file, kind);
  if (check.ok) return [];
  const rule = check.problem === "missing" ? "policy/missing-file" : "policy/broken-file";
  return [
    findingAt(located, path, { rule, severity: "error", sentence: check.sentence, remedy: check.remedy }),
  ];
}

function phase(located: LocatedSource): readonly Finding[] {
  const { phase: name, schematron } = located.source.spec.validation;
  if (name === undefined || schematron !== undefined) return [];
  return [
    findingAt(located, ["spec", "validation", "phase"], {
      rule: "policy/phase-without-rules",
      severity: "error",
      sentence: `Phase ${name} belongs to a Schematron rule set, and this source names none.`,
      remedy: "Add validation.schematron, or remove the phase.",
    }),
  ];
}
