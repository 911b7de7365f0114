/**
 * The library has functions of its own under some of CEL's names, which differ from the server's and cannot be replaced: a
 * call is renamed to ours before it is compiled.
 */
import { Environment } from "@marcbachmann/cel-js";

/** Ours by the name of the method they stand for (source/cel/environment.ts registers them). */
const ownNames: Readonly<Record<string, string>> = {
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

/** Only to parse: what is not registered is no matter before the types are checked. */
let parser: Environment | undefined;

/** The same expression in the names of our environment. Throws the library's ParseError when it is no CEL. */
export function inOwnNames(expression: string): string {
  parser ??= new Environment({ enableOptionalTypes: true });
  const edits = callsIn(parser.parse(expression).ast).flatMap((call) => editsOf(call, expression));
  let text = expression;
  for (const { at, length, insert } of edits.sort((a, b) => b.at - a.at))
    text = text.slice(0, at) + insert + text.slice(at + length);
  return text;
}

interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly range: { readonly start: number; readonly end: number };
}

interface Edit {
  readonly at: number;
  readonly length: number;
  readonly insert: string;
}

/** Every call of a method, also in the arguments of macros. */
function callsIn(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(callsIn);
  if (!isNode(value)) return [];
  return [...(value.op === "rcall" ? [value] : []), ...callsIn(value.args)];
}

/** The text is edited, not written anew: the library's own writer loses letters beyond U+FFFF. */
function editsOf({ args, range }: Node, expression: string): readonly Edit[] {
  const [name, receiver, given] = args as [string, Node, readonly Node[]];
  // Between the receiver and the name stand brackets, white space and the dot.
  const edit = { at: expression.indexOf(name, receiver.range.end), length: name.length };
  if (ZONED.has(name) && given.length === 1)
    return [
      { ...edit, insert: "serverInZone" },
      { at: range.end, length: 0, insert: `.${name}()` },
    ];
  const own = Object.hasOwn(ownNames, name) ? ownNames[name] : undefined;
  return own === undefined ? [] : [{ ...edit, insert: own }];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "op" in value && "args" in value && "range" in value;
}
