/** What must be judged to know both verdicts of a record. Pure. */
import type { GatePolicy } from "../gate/gate.js";
import type { LoadedSide } from "./load-side.js";

export interface ReplayPlan {
  readonly base: GatePolicy;
  readonly head: GatePolicy;
  /**
   * What of the head can still refuse a record that passed the base: the schemas when they changed, and the changed rule
   * sets. Absent: nothing, whatever passed the base passes the head.
   */
  readonly changed?: GatePolicy;
  /** A record refused by the base before its rule sets is refused by the head for the same reason. */
  readonly sameBeforeRules: boolean;
  /** Violations after which the gates stop looking. */
  readonly mostViolations: number;
}

/** Undefined: both sides judge every record alike. */
export function planReplay(base: LoadedSide, head: LoadedSide): ReplayPlan | undefined {
  if (base.digest === head.digest) return undefined;
  const sameLimits = base.policy.limits.maxRecordBytes === head.policy.limits.maxRecordBytes;
  const sameSchemas = base.xsdDigest === head.xsdDigest;
  const samePhase = base.policy.phase === head.policy.phase;
  const schematron = head.policy.schematron.filter(
    (entry) => !samePhase || head.ruleDigests.get(entry) !== base.ruleDigests.get(entry),
  );
  const changed = { ...head.policy, xsd: sameSchemas ? [] : head.policy.xsd, schematron };
  const nothing = sameLimits && sameSchemas && schematron.length === 0;
  return {
    base: base.policy,
    head: head.policy,
    ...(nothing ? {} : { changed }),
    sameBeforeRules: sameLimits && sameSchemas,
    mostViolations: head.policy.limits.maxViolations,
  };
}
