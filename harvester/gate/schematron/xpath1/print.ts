/** Trees back to text, with no more parentheses than needed: each one costs the engine a stretch of its stack. */
import { NEGATION_PRECEDENCE, PRECEDENCE, type Expression, type LocationPath, type Step } from "./syntax.js";

export function printXPath(expression: Expression): string {
  switch (expression.kind) {
    case "binary": {
      const level = PRECEDENCE[expression.operator];
      return `${operand(expression.left, level)} ${expression.operator} ${operand(expression.right, level + 1)}`;
    }
    case "negate":
      return `-${operand(expression.operand, NEGATION_PRECEDENCE + 1)}`;
    case "literal":
      return printLiteral(expression.value);
    case "number":
      return expression.text;
    case "variable":
      return `$${expression.name}`;
    case "call":
      return `${expression.name}(${expression.arguments.map(printXPath).join(", ")})`;
    case "filter":
      return `${primary(expression.primary)}${predicates(expression.predicates)}`;
    case "path":
      return printPath(expression);
  }
}

/** XPath 1.0 has no escapes: a text with both kinds of quotes is put together by concat(). */
export function printLiteral(text: string): string {
  if (!text.includes('"')) return `"${text}"`;
  if (!text.includes("'")) return `'${text}'`;
  const parts = text.split('"').map((part) => `"${part}"`);
  return `concat(${parts.join(`, '"', `)})`;
}

function operand(expression: Expression, level: number): string {
  const text = printXPath(expression);
  return precedenceOf(expression) < level ? `(${text})` : text;
}

function precedenceOf(expression: Expression): number {
  if (expression.kind === "binary") return PRECEDENCE[expression.operator];
  return expression.kind === "negate" ? NEGATION_PRECEDENCE : 9;
}

/** What may stand before a predicate or a step. A path there must be in parentheses: `(//a)[1]` is not `//a[1]`. */
function primary(expression: Expression): string {
  const bare =
    expression.kind === "call" ||
    expression.kind === "literal" ||
    expression.kind === "number" ||
    expression.kind === "variable";
  return bare ? printXPath(expression) : `(${printXPath(expression)})`;
}

function printPath(path: LocationPath): string {
  const steps = path.steps.map(printStep).join("");
  if (path.start === "context") return steps.replace(/^\//, "");
  if (path.start === "root") return path.steps.length === 0 ? "/" : steps;
  const start = path.start.kind === "filter" ? printXPath(path.start) : primary(path.start);
  return `${start}${steps}`;
}

function printStep(step: Step): string {
  const axis = step.axis === "" || step.axis === "@" ? step.axis : `${step.axis}::`;
  return `${step.separator}${axis}${step.test}${predicates(step.predicates)}`;
}

function predicates(list: readonly Expression[]): string {
  return list.map((predicate) => `[${printXPath(predicate)}]`).join("");
}
