/** Text to a tree: recursive descent over the grammar of XPath 1.0 §3. */
import { tokens, type Token } from "./lexer.js";
import { parsePath } from "./path-parser.js";
import { Reader } from "./reader.js";
import { PRECEDENCE, XPathSyntaxError, type BinaryOperator, type Expression } from "./syntax.js";

/** Throws XPathSyntaxError; its message continues the sentence "The expression … cannot be used: ". */
export function parseXPath(source: string): Expression {
  const reader = new Reader(tokens(source), expression);
  const parsed = expression(reader);
  const left = reader.peek();
  if (left.kind !== "end") throw new XPathSyntaxError(`"${left.text}" is not expected where it stands`);
  return parsed;
}

/** Precedence climbing; all binary operators of XPath 1.0 are left-associative. */
function expression(reader: Reader, minimum = 1): Expression {
  let left = unary(reader);
  for (;;) {
    const operator = binaryOperator(reader.peek());
    if (operator === undefined || PRECEDENCE[operator] < minimum) return left;
    reader.next();
    reader.countOperator();
    left = { kind: "binary", operator, left, right: expression(reader, PRECEDENCE[operator] + 1) };
  }
}

/** Unary minus binds looser than `|` and tighter than everything else. */
function unary(reader: Reader): Expression {
  if (!reader.take("-")) return parsePath(reader);
  reader.countOperator();
  return { kind: "negate", operand: expression(reader, PRECEDENCE["|"]) };
}

function binaryOperator(token: Token): BinaryOperator | undefined {
  if (token.kind !== "operator" || token.text === "/" || token.text === "//") return undefined;
  return token.text as BinaryOperator;
}
