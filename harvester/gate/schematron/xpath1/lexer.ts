/** Text to tokens, with the rule that tells `*` and `and` as operators from names (XPath 1.0 §3.7). */
import { XPathSyntaxError } from "./syntax.js";

export type TokenKind = "literal" | "number" | "variable" | "operator" | "name" | "punctuation" | "end";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** Bound of one expression, in characters: rule sets of the field stay below 2,000. */
export const MAX_LENGTH = 16_384;

/** Letters, marks and digits stand for the code point lists of Namespaces in XML §3: every name in use, and no operator. */
const NCNAME = "[\\p{L}_][\\p{L}\\p{N}\\p{M}_.\\u00B7-]*";
const TOKEN = new RegExp(
  [
    "\\s+",
    "(?<literal>\"[^\"]*\"|'[^']*')",
    "(?<number>\\d+(?:\\.\\d*)?|\\.\\d+)",
    `\\$(?<variable>${NCNAME}(?::${NCNAME})?)`,
    "(?<punctuation>::|\\.\\.|[()[\\].@,])",
    "(?<operator>//|!=|<=|>=|[/|+=<>*-])",
    `(?<name>${NCNAME}(?::(?:${NCNAME}|\\*)(?!:))?)`,
  ].join("|"),
  "uy",
);
const WORDS = new Set(["and", "or", "mod", "div"]);

export function tokens(source: string): readonly Token[] {
  if (source.length > MAX_LENGTH) {
    throw new XPathSyntaxError(
      `it has ${String(source.length)} characters, and at most ${String(MAX_LENGTH)} are accepted`,
    );
  }
  const found: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < source.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(source);
    if (match === null)
      throw new XPathSyntaxError(
        `"${source.slice(at, at + 12)}" at character ${String(at + 1)} is not XPath 1.0`,
      );
    const token = tokenOf(match.groups ?? {});
    if (token !== undefined) found.push(inPlace(token, found.at(-1)));
  }
  return [...found, { kind: "end", text: "" }];
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>): Token | undefined {
  for (const [kind, text] of Object.entries(groups)) {
    if (text !== undefined) return { kind: kind as TokenKind, text };
  }
  return undefined;
}

/** After an operand `*` multiplies and `and` joins; elsewhere they are names. */
function inPlace(token: Token, before: Token | undefined): Token {
  const afterOperand = before !== undefined && endsOperand(before);
  if (token.text === "*" && token.kind === "operator" && !afterOperand) return { kind: "name", text: "*" };
  if (token.kind === "name" && afterOperand && WORDS.has(token.text))
    return { kind: "operator", text: token.text };
  return token;
}

function endsOperand(token: Token): boolean {
  if (token.kind === "operator") return false;
  if (token.kind === "punctuation")
    return token.text === ")" || token.text === "]" || token.text === "." || token.text === "..";
  return true;
}
