/**
 * `//x[p]` means `/descendant-or-self::node()/child::x[p]`: libxml2 gathers every node of the document first. Where no
 * predicate counts positions, `/descendant::x[p]` selects the same nodes without that, many times faster.
 */
import { usesPosition } from "./analyse.js";
import { mapParts } from "./rewrite.js";
import { type Expression, type Step } from "./syntax.js";

export function optimised(expression: Expression): Expression {
  const inner = mapParts(expression, optimised);
  return inner.kind === "path" ? { ...inner, steps: inner.steps.map(direct) } : inner;
}

function direct(step: Step): Step {
  const child = step.separator === "//" && step.axis === "" && step.test !== "." && step.test !== "..";
  if (!child || step.predicates.some(mayCount)) return step;
  return { ...step, separator: "/", axis: "descendant" };
}

/** Functions that give a boolean, a string or nodes: as a predicate they are not compared with the position. */
const UNCOUNTED = new Set([
  "boolean",
  "concat",
  "contains",
  "false",
  "id",
  "lang",
  "local-name",
  "name",
  "namespace-uri",
  "normalize-space",
  "not",
  "starts-with",
  "string",
  "substring",
  "substring-after",
  "substring-before",
  "translate",
  "true",
]);
const UNCOUNTED_OPERATORS = new Set(["or", "and", "=", "!=", "<", "<=", ">", ">=", "|"]);

/** A predicate that is a number, or asks for a position, depends on what it is counted among. */
function mayCount(predicate: Expression): boolean {
  if (usesPosition(predicate)) return true;
  if (predicate.kind === "path" || predicate.kind === "literal") return false;
  if (predicate.kind === "call") return !UNCOUNTED.has(predicate.name);
  return predicate.kind !== "binary" || !UNCOUNTED_OPERATORS.has(predicate.operator);
}
