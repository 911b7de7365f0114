/** An expression of a rule, ready to be asked of a node: compiled once, or filled with this node's values each time. */
import { positionalPath } from "../../../xml/node-path.js";
import { type NodeRef } from "../../../xml/node.js";
import {
  compileXPath,
  XPathFailure,
  type CompiledXPath,
  type XPathContext,
  type XPathValue,
} from "../../../xml/xpath.js";
import { printLiteral, printXPath } from "./print.js";
import { optimised } from "./optimise.js";
import { parseXPath } from "./parser.js";
import { fillVariables } from "./rewrite.js";
import { type Expression } from "./syntax.js";

export type Query =
  | { readonly kind: "compiled"; readonly compiled: CompiledXPath }
  /** Has rule variables that cannot be written in beforehand. */
  | { readonly kind: "open"; readonly expression: Expression };

/** Values of the rule's variables at one node, as expressions; computed when first asked for. */
export type Values = () => ReadonlyMap<string, Expression>;

/** More nodes than this in a variable make an expression the engine should not see. */
const MAX_NODES = 200;

export function compiled(expression: Expression): CompiledXPath {
  return compileXPath(printXPath(optimised(expression)));
}

export function compiledQuery(expression: Expression): Query {
  return { kind: "compiled", compiled: compiled(expression) };
}

/** Throws XPathFailure. */
export function ask(
  query: Query,
  at: { readonly context: XPathContext; readonly node: NodeRef; readonly values: Values },
): XPathValue {
  if (query.kind === "compiled") return at.context.evaluate(query.compiled, at.node);
  const values = at.values();
  const filled = fillVariables(query.expression, (name) => values.get(name) ?? { kind: "variable", name });
  const once = compiled(filled);
  try {
    return at.context.evaluate(once, at.node);
  } finally {
    once.dispose();
  }
}

export function disposeQuery(query: Query): void {
  if (query.kind === "compiled") query.compiled.dispose();
}

/** A value as an expression that means it anywhere in the same document. */
export function valueAsExpression(value: XPathValue): Expression {
  if (typeof value === "string") return parseXPath(printLiteral(value));
  if (typeof value === "boolean") return { kind: "call", name: String(value), arguments: [] };
  if (typeof value === "number") return numberAsExpression(value);
  if (value.length > MAX_NODES) {
    throw new XPathFailure(
      `A variable used inside a predicate has ${String(value.length)} nodes; at most ${String(MAX_NODES)} are possible.`,
    );
  }
  // An empty node set: no document has a parent.
  return parseXPath(value.length === 0 ? "/.." : value.map(positionalPath).join(" | "));
}

/** Through its text, as XPath 1.0 has no exponents; NaN is what no text gives. */
function numberAsExpression(value: number): Expression {
  if (Number.isNaN(value)) return parseXPath('number("NaN")');
  if (!Number.isFinite(value)) return parseXPath(value > 0 ? "1 div 0" : "-1 div 0");
  const digits = Math.abs(value).toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 });
  return parseXPath(value < 0 ? `-${digits}` : digits);
}
