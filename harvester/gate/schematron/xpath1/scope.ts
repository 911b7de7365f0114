/** Variables. libxml2 offers none to us, so they are written into the expressions that use them. */
import { type Let, type RuleSetModel } from "../model.js";
import { RuleSetRefused } from "../refused.js";
import { type Selection } from "../select-phase.js";
import { dependsOnContext } from "./analyse.js";
import { readExpression } from "./read-expression.js";
import { atRoot, fillVariables } from "./rewrite.js";
import { type Expression } from "./syntax.js";

/** Characters of all variables written into one expression: a chain of doublings would otherwise fill the memory. */
const MAX_WEIGHT = 65_536;

export interface Definition {
  readonly expression: Expression;
  /** Length in characters, about, with all that is written into it. */
  readonly weight: number;
}

/** Looks a variable up by name; undefined where there is none. */
export type Lookup = (name: string) => Definition | undefined;

/**
 * The variables one pattern sees, outermost last: its own, the phase's, the schema's, and those of other patterns,
 * because the reference implementations make all of them global. They are evaluated at the document root.
 */
export function patternScope(model: RuleSetModel, selection: Selection, own: readonly Let[]): Lookup {
  const others = selection.patterns.flatMap((pattern) => pattern.lets);
  const layers = [own, selection.lets, model.lets, others];
  const done = new Map<string, Definition>();
  const open = new Set<string>();
  function lookup(name: string): Definition | undefined {
    const known = done.get(name);
    if (known !== undefined) return known;
    const found = layers.flatMap((layer) => layer.find((one) => one.name === name) ?? [])[0];
    if (found === undefined) return undefined;
    if (open.has(name)) throw new RuleSetRefused(found.place, `The variable "${name}" is defined by itself.`);
    open.add(name);
    const { expression, weight } = define(found, model.namespaces, lookup);
    const definition = { expression: atRoot(expression), weight };
    done.set(name, definition);
    return definition;
  }
  return lookup;
}

/** The definition of one variable with all it uses written in. */
export function define(one: Let, namespaces: ReadonlyMap<string, string>, lookup: Lookup): Definition {
  if (one.value.kind === "text")
    return { expression: { kind: "literal", value: one.value.text }, weight: one.value.text.length };
  const { source } = one.value;
  return fill(
    { expression: readExpression(source, namespaces), weight: source.text.length },
    lookup,
    one.place,
  );
}

/** Writes variables in. Throws RuleSetRefused for one that is not defined or grows too long. */
export function fill(
  into: Definition,
  lookup: Lookup,
  place: { readonly file: string; readonly line: number },
): Definition {
  let weight = into.weight;
  const expression = fillVariables(into.expression, (name) => {
    const found = lookup(name);
    if (found === undefined) throw new RuleSetRefused(place, `The variable $${name} is not defined here.`);
    weight += found.weight;
    return found.expression;
  });
  if (weight > MAX_WEIGHT)
    throw new RuleSetRefused(
      place,
      `The expression grows beyond ${String(MAX_WEIGHT)} characters when its variables are written in.`,
    );
  return { expression, weight };
}

/**
 * Writes rule variables in where that means the same. Inside a predicate the context node is another one, so what
 * depends on the context cannot be moved there: then undefined, and the values are put in node by node.
 */
export function fillWherePossible(expression: Expression, lookup: Lookup): Expression | undefined {
  let possible = true;
  const filled = fillVariables(expression, (name, insidePredicate) => {
    const found = lookup(name);
    if (found === undefined || (insidePredicate && dependsOnContext(found.expression))) possible = false;
    return found?.expression ?? { kind: "variable", name };
  });
  return possible ? filled : undefined;
}
