/** Expressions made from expressions: variables filled in, paths turned to the root. */
import { CONTEXT_FUNCTIONS } from "./analyse.js";
import { type Expression, type LocationPath, type Step } from "./syntax.js";

/** Gives what stands for a variable, told whether it is used inside a predicate, where the context node is another. */
export type Fill = (name: string, insidePredicate: boolean) => Expression;

/** Replaces every variable. */
export function fillVariables(expression: Expression, fill: Fill, insidePredicate = false): Expression {
  if (expression.kind === "variable") return fill(expression.name, insidePredicate);
  return mapParts(expression, (part, inPredicate) =>
    fillVariables(part, fill, insidePredicate || inPredicate),
  );
}

const ROOT: LocationPath = { kind: "path", start: "root", steps: [] };

/**
 * The same expression with the document as its context node, whatever the context when it is evaluated. For variables
 * of a schema, phase or pattern, which ISO 19757-3 §5.4.5 evaluates at the document root.
 */
export function atRoot(expression: Expression): Expression {
  if (expression.kind === "path" && expression.start === "context") return { ...expression, start: ROOT };
  if (
    expression.kind === "call" &&
    expression.arguments.length === 0 &&
    CONTEXT_FUNCTIONS.has(expression.name)
  ) {
    return { ...expression, arguments: [rootArgument(expression.name)] };
  }
  return mapParts(expression, (part, inPredicate) => (inPredicate ? part : atRoot(part)));
}

/** normalize-space() and string-length() take a string, the others nodes. */
function rootArgument(name: string): Expression {
  const takesText = name === "normalize-space" || name === "string-length";
  return takesText ? { kind: "call", name: "string", arguments: [ROOT] } : ROOT;
}

/**
 * A rule context as an expression that finds all its nodes from the root: `gmd:X` is `//gmd:X` (XSLT 1.0 §5.2).
 * Undefined where it is no pattern: then no node could ever match.
 */
export function contextAtRoot(context: Expression): Expression | undefined {
  if (context.kind === "binary") {
    const left = contextAtRoot(context.left);
    const right = contextAtRoot(context.right);
    return context.operator !== "|" || left === undefined || right === undefined
      ? undefined
      : { ...context, left, right };
  }
  if (context.kind === "call") return context.name === "id" ? context : undefined;
  if (context.kind === "filter") return filterAtRoot(context);
  return context.kind === "path" ? pathAtRoot(context) : undefined;
}

function filterAtRoot(context: Expression & { kind: "filter" }): Expression | undefined {
  const primary = contextAtRoot(context.primary);
  return primary === undefined ? undefined : { ...context, primary };
}

function pathAtRoot(context: LocationPath): Expression | undefined {
  if (context.start === "root") return context;
  if (context.start !== "context") {
    const start = contextAtRoot(context.start);
    return start === undefined ? undefined : { ...context, start };
  }
  const [first, ...others] = context.steps;
  return first === undefined
    ? undefined
    : { ...context, start: "root", steps: [{ ...first, separator: "//" }, ...others] };
}

export type Change = (part: Expression, inPredicate: boolean) => Expression;

/** The same expression with every part changed; told which parts are predicates. */
export function mapParts(expression: Expression, change: Change): Expression {
  switch (expression.kind) {
    case "binary":
      return { ...expression, left: change(expression.left, false), right: change(expression.right, false) };
    case "negate":
      return { ...expression, operand: change(expression.operand, false) };
    case "call":
      return { ...expression, arguments: expression.arguments.map((part) => change(part, false)) };
    case "filter":
      return {
        ...expression,
        primary: change(expression.primary, false),
        predicates: inside(expression.predicates, change),
      };
    case "path":
      return {
        ...expression,
        start: typeof expression.start === "object" ? change(expression.start, false) : expression.start,
        steps: expression.steps.map((step): Step => ({
          ...step,
          predicates: inside(step.predicates, change),
        })),
      };
    case "literal":
    case "number":
    case "variable":
      return expression;
  }
}

function inside(predicates: readonly Expression[], change: Change): readonly Expression[] {
  return predicates.map((predicate) => change(predicate, true));
}
