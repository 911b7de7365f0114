/** Text to tokens, with the rule that tells `*` and `and` as operators from names (XPath 1.0 §3.7). */
import { XPathSyntaxError } from "./syntax.js";

export type TokenKind = "literal" | "number" | "variable" | "operator" | "name" | "punctuation" | "end";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** Bound of one expression, in characters: rule sets of the field stay below 2,000. */
export const MAX_LENGTH = 16_384;

const NAME_START =
  "A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD";
const NCNAME = `[${NAME_START}][${NAME_START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]*`;
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
