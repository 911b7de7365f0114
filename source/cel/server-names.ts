/**
 * The library has functions of its own under some of CEL's names, which differ from the server's and cannot be replaced: a
 * call is renamed to ours before it is compiled.
 */
import { parse, serialize, type ASTNode } from "@marcbachmann/cel-js";

/** Ours by the name of the method they stand for (source/cel/environment.ts registers them). */
export const ownNames: Readonly<Record<string, string>> = {
  // The library's is JavaScript's RegExp: other syntax, and time that can grow without end.
  matches: "serverMatches",
  // The library's change and trim more letters than Go's.
  lowerAscii: "serverLowerAscii",
  upperAscii: "serverUpperAscii",
  trim: "serverTrim",
};

/** Methods of a timestamp that take a zone. The library's ask the engine anew each time, and mind no case. */
const ZONED = new Set([
  ...["getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear"],
  ...["getHours", "getMinutes", "getSeconds", "getMilliseconds"],
]);

/** The same expression in the names of our environment. Throws the library's ParseError when it is no CEL. */
export function inOwnNames(expression: string): string {
  return serialize(rewrite(parse(expression).ast) as ASTNode);
}

interface Node {
  readonly op: string;
  readonly args: unknown;
}

function rewrite(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewrite);
  return isNode(value) ? renamed({ op: value.op, args: rewrite(value.args) }) : value;
}

function renamed(node: Node): Node {
  if (node.op !== "rcall") return node;
  const [name, receiver, args] = node.args as [string, Node, readonly Node[]];
  if (ZONED.has(name) && args.length === 1) {
    const shifted: Node = { op: "rcall", args: ["serverInZone", receiver, args] };
    return { op: "rcall", args: [name, shifted, []] };
  }
  const own = Object.hasOwn(ownNames, name) ? ownNames[name] : undefined;
  return own === undefined ? node : { op: "rcall", args: [own, receiver, args] };
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}
