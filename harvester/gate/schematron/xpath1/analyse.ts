/** What can be known of an expression without a document. */
import { type Expression, type Step } from "./syntax.js";

/** Functions that read the context node when they have no argument (XPath 1.0 §4). */
export const CONTEXT_FUNCTIONS: ReadonlySet<string> = new Set([
  "string",
  "number",
  "name",
  "local-name",
  "namespace-uri",
  "normalize-space",
  "string-length",
]);

/** Does its value depend on the context node? Predicates have a context of their own and do not count. */
export function dependsOnContext(expression: Expression): boolean {
  if (expression.kind === "filter") return dependsOnContext(expression.primary);
  if (expression.kind === "path") {
    return (
      expression.start === "context" || (expression.start !== "root" && dependsOnContext(expression.start))
    );
  }
  if (expression.kind === "call" && readsContext(expression.name, expression.arguments)) return true;
  return operandsOf(expression).some(dependsOnContext);
}

/** position() or last() outside any predicate: without meaning in a rule, which looks at one node. */
export function usesPosition(expression: Expression): boolean {
  if (expression.kind === "call" && (expression.name === "position" || expression.name === "last"))
    return true;
  if (expression.kind === "path")
    return typeof expression.start === "object" && usesPosition(expression.start);
  if (expression.kind === "filter") return usesPosition(expression.primary);
  return operandsOf(expression).some(usesPosition);
}

/** Every expression inside, itself first. */
export function* walk(expression: Expression): Generator<Expression> {
  yield expression;
  for (const inner of partsOf(expression)) yield* walk(inner);
}

/** Steps of all paths inside. */
export function* stepsIn(expression: Expression): Generator<Step> {
  for (const part of walk(expression)) {
    if (part.kind === "path") yield* part.steps;
  }
}

function readsContext(name: string, given: readonly Expression[]): boolean {
  return (
    name === "lang" ||
    name === "position" ||
    name === "last" ||
    (given.length === 0 && CONTEXT_FUNCTIONS.has(name))
  );
}

function operandsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === "binary") return [expression.left, expression.right];
  if (expression.kind === "negate") return [expression.operand];
  return expression.kind === "call" ? expression.arguments : [];
}

function partsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === "filter") return [expression.primary, ...expression.predicates];
  if (expression.kind !== "path") return operandsOf(expression);
  const inSteps = expression.steps.flatMap((step) => step.predicates);
  return typeof expression.start === "object" ? [expression.start, ...inSteps] : inSteps;
}
