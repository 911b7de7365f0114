/** The admission policies that are shipped, asked before the merge (manifests/install/components/admission). */
import { fairUseConfigMap, fairUseName } from "../bundle/fair-use-config-map.js";
import { admissionJudge, type AdmissionJudge, type AdmissionVerdict } from "../cel/admission-verdicts.js";
import { crdVerdicts } from "../cel/crd-verdicts.js";
import { admissionPolicies } from "../cel/rules.generated.js";
import type { Finding } from "../finding.js";
import type { LocatedSource } from "../located-source.js";
import { admissionIds } from "./admission-ids.js";
import { fairUseCeiling } from "./fair-use-ceiling.js";
import { placeText, type LintRule } from "./lint-rule.js";

/** ConfigMaps the policies read, by name. */
export type AdmissionParameters = Readonly<Record<string, object>>;

/**
 * What the server would refuse for the ceiling and lint's own rule has not told: that rule adds up a host and blames one
 * source, the policy judges each source alone, so a second source that is over by itself would still be refused after the
 * first was lowered.
 */
export const admission: LintRule = (sources, context) => {
  if (context.fairUse === undefined) return [];
  const parameters = { [fairUseName]: fairUseConfigMap(context.fairUse) };
  const findings = sources.flatMap((located) => admissionFindings(located, parameters));
  if (findings.length === 0) return [];
  const told = new Set(fairUseCeiling(sources, context).map(key));
  return findings.filter((finding) => !told.has(key(finding)));
};

interface Judged {
  readonly name: string;
  readonly judge: AdmissionJudge;
}

/** Compiled at the first source. A policy that asks who writes is left to the server: nobody knows it before the merge. */
let judges: readonly Judged[] | undefined;

/**
 * Of one source: what the shipped policies refuse, given the ConfigMaps they read. With `before`, the source as it is in the
 * cluster, the change is judged: a policy lets alone what only stands there.
 */
export function admissionFindings(
  located: LocatedSource,
  parameters: AdmissionParameters,
  before?: object,
): readonly Finding[] {
  judges ??= admissionPolicies
    .filter(({ asksWriter }) => !asksWriter)
    .map((policy) => ({ name: policy.parameters?.name ?? "", judge: admissionJudge(policy) }));
  return judges.flatMap(({ name, judge }) => {
    const params = parameters[name];
    const request = {
      object: located.source,
      ...(before !== undefined && { oldObject: before }),
      ...(params !== undefined && { params }),
    };
    const verdicts = judge(request);
    // The server asks no policy about an object that it refuses by the CRD.
    if (verdicts.length > 0 && crdVerdicts(located.source).length > 0) return [];
    return verdicts.map((verdict) => findingOf(located, verdict));
  });
}

function findingOf(located: LocatedSource, { policy, validation = 0, message }: AdmissionVerdict): Finding {
  const id = admissionIds[policy]?.[validation];
  if (id === undefined) throw new RangeError(`A validation of ${policy} has no id in source/lint.`);
  return { rule: id.rule, severity: "error", place: located.place(id.path), sentence: `${message}.` };
}

function key({ rule, place }: Finding): string {
  return `${rule} ${placeText(place)}:${String(place.column)}`;
}
