/** A position in the tokens of one expression, and the bounds that keep the engine's 64 KiB stack whole. */
import { type Token } from "./lexer.js";
import { XPathSyntaxError, type Expression } from "./syntax.js";

/** Brackets and parentheses inside one another: the engine fails for good far beyond this, and 300 predicates hang it. */
export const MAX_NESTING = 100;
/** Operators and steps in one expression: the engine recurses once for each. */
export const MAX_OPERATORS = 1000;

export class Reader {
  private at = 0;
  private depth = 0;
  private operators = 0;

  private readonly list: readonly Token[];
  private readonly expression: (reader: Reader) => Expression;

  /** `expression` reads one: handed in, because predicates hold expressions and expressions predicates. */
  constructor(list: readonly Token[], expression: (reader: Reader) => Expression) {
    this.list = list;
    this.expression = expression;
  }

  peek(ahead = 0): Token {
    return this.list[this.at + ahead] ?? { kind: "end", text: "" };
  }

  next(): Token {
    const token = this.peek();
    this.at += 1;
    return token;
  }

  /** A literal or a variable never reads like punctuation. */
  reads(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && token.kind !== "literal" && token.kind !== "variable";
  }

  take(text: string): boolean {
    if (!this.reads(text)) return false;
    this.at += 1;
    return true;
  }

  need(text: string): void {
    if (this.take(text)) return;
    const found = this.peek();
    throw new XPathSyntaxError(
      `"${text}" is missing ${found.kind === "end" ? "at the end" : `before "${found.text}"`}`,
    );
  }

  /** An expression one level further in. */
  nested(): Expression {
    this.depth += 1;
    if (this.depth > MAX_NESTING)
      throw new XPathSyntaxError(`it nests deeper than ${String(MAX_NESTING)} levels`);
    const inner = this.expression(this);
    this.depth -= 1;
    return inner;
  }

  predicates(): readonly Expression[] {
    const found: Expression[] = [];
    while (this.take("[")) {
      found.push(this.nested());
      this.need("]");
    }
    return found;
  }

  countOperator(): void {
    this.operators += 1;
    if (this.operators > MAX_OPERATORS)
      throw new XPathSyntaxError(`it has more than ${String(MAX_OPERATORS)} operators and steps`);
  }
}
