/** Location paths and primary expressions (XPath 1.0 §2, §3.2, §3.3). */
import { type Reader } from "./reader.js";
import { XPathSyntaxError, type Expression, type Step } from "./syntax.js";

const NODE_TYPES = new Set(["node", "text", "comment", "processing-instruction"]);
const AXES = new Set([
  "ancestor",
  "ancestor-or-self",
  "attribute",
  "child",
  "descendant",
  "descendant-or-self",
  "following",
  "following-sibling",
  "namespace",
  "parent",
  "preceding",
  "preceding-sibling",
  "self",
]);

export function parsePath(reader: Reader): Expression {
  if (reader.reads("/") || reader.reads("//")) return rooted(reader);
  if (!startsPrimary(reader))
    return { kind: "path", start: "context", steps: [step(reader, "/"), ...moreSteps(reader)] };
  const primary = parsePrimary(reader);
  const predicates = reader.predicates();
  const start: Expression = predicates.length === 0 ? primary : { kind: "filter", primary, predicates };
  const steps = moreSteps(reader);
  return steps.length === 0 ? start : { kind: "path", start, steps };
}

function rooted(reader: Reader): Expression {
  if (!reader.reads("/") || startsStep(reader, 1))
    return { kind: "path", start: "root", steps: moreSteps(reader) };
  reader.next();
  return { kind: "path", start: "root", steps: [] };
}

function moreSteps(reader: Reader): readonly Step[] {
  const steps: Step[] = [];
  for (;;) {
    if (reader.take("//")) steps.push(step(reader, "//"));
    else if (reader.take("/")) steps.push(step(reader, "/"));
    else return steps;
  }
}

function startsStep(reader: Reader, ahead: number): boolean {
  const token = reader.peek(ahead);
  if (token.kind === "name") return true;
  return token.kind === "punctuation" && ["@", ".", ".."].includes(token.text);
}

/** The engine recurses once for each step too. */
function step(reader: Reader, separator: "/" | "//"): Step {
  reader.countOperator();
  for (const short of [".", ".."]) {
    if (reader.take(short)) return { separator, axis: "", test: short, predicates: [] };
  }
  const axis = stepAxis(reader);
  return { separator, axis, test: nodeTest(reader), predicates: reader.predicates() };
}

function stepAxis(reader: Reader): string {
  if (reader.take("@")) return "@";
  if (!reader.reads("::", 1)) return "";
  const name = reader.next().text;
  if (!AXES.has(name)) throw new XPathSyntaxError(`"${name}::" is not an axis of XPath 1.0`);
  reader.need("::");
  return name;
}

function nodeTest(reader: Reader): string {
  const token = reader.next();
  if (token.kind !== "name") {
    throw new XPathSyntaxError(
      `a name is missing ${token.kind === "end" ? "at the end" : `before "${token.text}"`}`,
    );
  }
  if (!reader.reads("(")) return token.text;
  if (!NODE_TYPES.has(token.text))
    throw new XPathSyntaxError(`the function ${token.text}() cannot stand as a step of a path in XPath 1.0`);
  reader.need("(");
  const target = reader.peek().kind === "literal" ? reader.next().text : "";
  reader.need(")");
  return `${token.text}(${target})`;
}

function startsPrimary(reader: Reader): boolean {
  const token = reader.peek();
  if (token.kind === "literal" || token.kind === "number" || token.kind === "variable") return true;
  if (reader.reads("(")) return true;
  return token.kind === "name" && reader.reads("(", 1) && !NODE_TYPES.has(token.text);
}

function parsePrimary(reader: Reader): Expression {
  const token = reader.next();
  if (token.kind === "literal") return { kind: "literal", value: token.text.slice(1, -1) };
  if (token.kind === "number") return { kind: "number", text: token.text };
  if (token.kind === "variable") return { kind: "variable", name: token.text };
  if (token.kind === "name") return { kind: "call", name: token.text, arguments: callArguments(reader) };
  const inner = reader.nested();
  reader.need(")");
  return inner;
}

function callArguments(reader: Reader): readonly Expression[] {
  reader.need("(");
  const found: Expression[] = [];
  if (reader.take(")")) return found;
  do found.push(reader.nested());
  while (reader.take(","));
  reader.need(")");
  return found;
}
