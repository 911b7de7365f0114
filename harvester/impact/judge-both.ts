/** Both verdicts of one record, without asking a gate whose answer is known. */
import type { Gates } from "../gate/gate.js";
import type { Verdict, Violation } from "../record.js";
import type { ImpactItem } from "./impact.js";
import type { ReplayPlan } from "./plan.js";

export interface BothGates {
  readonly base: Gates;
  readonly head: Gates;
  readonly changed: Gates;
}

/** Undefined: it passes. */
export interface BothVerdicts {
  readonly base: Violation | undefined;
  readonly head: Violation | undefined;
}

interface Known {
  readonly refusedBy: Violation | undefined;
  /** Of a record that passes: warnings and hints of its rule sets. */
  readonly ruleRemarks: number;
}

/** `trusted`: what the item says of its last verdict was said by the base's very policy. */
export async function judgeBoth(
  item: ImpactItem,
  plan: ReplayPlan,
  { gates, trusted }: { readonly gates: BothGates; readonly trusted: boolean },
): Promise<BothVerdicts> {
  const known = trusted ? lastOf(item) : undefined;
  const base = known ?? knownOf(await gates.base.check(item));
  const { refusedBy } = base;
  if (refusedBy !== undefined) {
    const same = plan.sameBeforeRules && (refusedBy.gate === "well-formed" || refusedBy.gate === "xsd");
    return { base: refusedBy, head: same ? refusedBy : deciding(await gates.head.check(item)) };
  }
  return { base: undefined, head: await afterPass(item, plan, { gates, ruleRemarks: base.ruleRemarks }) };
}

async function afterPass(
  item: ImpactItem,
  plan: ReplayPlan,
  { gates, ruleRemarks }: { readonly gates: BothGates; readonly ruleRemarks: number },
): Promise<Violation | undefined> {
  if (plan.changed === undefined) return undefined;
  const verdict = await gates.changed.check(item);
  // The gates stop at so many violations: near that number the unchanged rule sets might have hidden what was found.
  const certain = ruleRemarks + ofRules(verdict) < plan.mostViolations;
  return deciding(certain ? verdict : await gates.head.check(item));
}

function lastOf({ last }: ImpactItem): Known | undefined {
  if (last === undefined) return undefined;
  if (last.kind === "passed") return { refusedBy: undefined, ruleRemarks: last.ruleRemarks };
  return { refusedBy: last.violation, ruleRemarks: 0 };
}

function knownOf(verdict: Verdict): Known {
  return { refusedBy: deciding(verdict), ruleRemarks: ofRules(verdict) };
}

function ofRules(verdict: Verdict): number {
  const all =
    verdict.kind === "refused" ? verdict.violations : verdict.kind === "pass" ? verdict.remarks : [];
  return all.filter(({ gate }) => gate === "schematron").length;
}

function deciding(verdict: Verdict): Violation | undefined {
  if (verdict.kind !== "refused") return undefined;
  const first = verdict.violations.find(({ severity }) => severity === "error") ?? verdict.violations[0];
  return (
    first ?? { gate: "engine", rule: "unknown", severity: "error", message: "The gates gave no reason." }
  );
}
