/** XPath 1.0 expressions as trees (https://www.w3.org/TR/1999/REC-xpath-19991116). */

export type Expression =
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "negate"; readonly operand: Expression }
  | { readonly kind: "literal"; readonly value: string }
  /** Digits as written. */
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly arguments: readonly Expression[] }
  /** `primary[predicate]…` */
  | { readonly kind: "filter"; readonly primary: Expression; readonly predicates: readonly Expression[] }
  | LocationPath;

export interface LocationPath {
  readonly kind: "path";
  /** Where it begins: at the context node, at the root, or at the nodes of an expression. */
  readonly start: "context" | "root" | Expression;
  readonly steps: readonly Step[];
}

export interface Step {
  /** What stands before the step: `//` is short for `/descendant-or-self::node()/`. */
  readonly separator: "/" | "//";
  /** "" = child; "@" = attribute; else the axis name. */
  readonly axis: string;
  /** Name test, node type test, "." or "..". */
  readonly test: string;
  readonly predicates: readonly Expression[];
}

export type BinaryOperator =
  "or" | "and" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "div" | "mod" | "|";

/** How tightly operators bind; higher is tighter (XPath 1.0 §3). Unary minus stands between `mod` and `|`. */
export const PRECEDENCE: Readonly<Record<BinaryOperator, number>> = {
  or: 1,
  and: 2,
  "=": 3,
  "!=": 3,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  div: 6,
  mod: 6,
  "|": 8,
};
export const NEGATION_PRECEDENCE = 7;

/** The expression is not XPath 1.0, or goes beyond what this engine accepts. The message is a sentence for people. */
export class XPathSyntaxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "XPathSyntaxError";
  }
}
