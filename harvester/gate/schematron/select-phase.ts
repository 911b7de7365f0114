/** Which patterns of a rule set are asked, and which variables the phase adds (ISO 19757-3 §5.4.11). */
import { type Let, type Pattern, type RuleSetModel } from "./model.js";
import { RuleSetRefused } from "./refused.js";

export interface Selection {
  readonly patterns: readonly Pattern[];
  readonly lets: readonly Let[];
}

/** Throws RuleSetRefused for a phase or an active pattern that does not exist: a typing error must not switch rules off. */
export function selectPhase(model: RuleSetModel, asked: string | undefined): Selection {
  const name = asked === undefined || asked === "#DEFAULT" ? (model.defaultPhase ?? "#ALL") : asked;
  if (name === "#ALL") return { patterns: model.patterns, lets: [] };
  const phase = model.phases.get(name);
  if (phase === undefined) {
    const known = [...model.phases.keys()].join(", ") || "none";
    throw new RuleSetRefused(model, `There is no phase "${name}" in this rule set; it has: ${known}.`);
  }
  const ids = new Set(model.patterns.map((pattern) => pattern.id));
  for (const id of phase.patterns) {
    if (!ids.has(id))
      throw new RuleSetRefused(
        model,
        `The phase "${name}" makes the pattern "${id}" active, but there is none.`,
      );
  }
  return { patterns: model.patterns.filter((pattern) => phase.patterns.has(pattern.id)), lets: phase.lets };
}
