/** Gate 1a: is it XML at all? The parser's words become a stable rule and a sentence a publisher can act on. */
import { type Violation } from "../record.js";
import { type XmlProblem } from "../xml/problem.js";

interface Wording {
  readonly pattern: RegExp;
  readonly rule: string;
  /** `$1` … are the groups of the pattern. */
  readonly sentence: string;
}

/** First match wins. The patterns are libxml2's own messages (2.15). */
const WORDINGS: readonly Wording[] = [
  {
    pattern: /Document is empty|Start tag expected/,
    rule: "empty",
    sentence: "There is no XML element in the record.",
  },
  {
    pattern: /Excessive depth in document: (\d+)/,
    rule: "nesting-too-deep",
    sentence: "Elements lie more than $1 deep inside one another.",
  },
  {
    pattern: /Resource limit exceeded: (?:Text node|Buffer size)/,
    rule: "text-too-long",
    sentence: "One text or attribute is longer than 10 million characters.",
  },
  {
    pattern: /Resource limit exceeded: ([^,]+)/,
    rule: "resource-limit",
    sentence: "The record goes beyond a limit of the parser: $1.",
  },
  {
    pattern: /out of memory/i,
    rule: "out-of-memory",
    sentence: "The record needs more memory than a gate thread may use.",
  },
  {
    pattern: /Opening and ending tag mismatch: (\S+) (?:line \d+ )?and (\S+)/,
    rule: "tag-mismatch",
    sentence: "The element $1 is closed by </$2>: an end tag is missing or misspelt.",
  },
  {
    pattern: /Premature end of data in tag (\S+)/,
    rule: "cut-off",
    sentence: "The record ends inside the element $1: it was cut off.",
  },
  {
    pattern: /Couldn't find end of Start Tag (\S+)/,
    rule: "broken-tag",
    sentence: "The start tag of $1 is not complete.",
  },
  {
    pattern: /Namespaced Attribute (\S+) in|Attribute (\S+) redefined/,
    rule: "duplicate-attribute",
    sentence: "The attribute $1$2 stands twice on one element.",
  },
  {
    pattern: /Namespace prefix (\S+) (?:for \S+ )?on \S+ is not defined/,
    rule: "undefined-prefix",
    sentence: "The prefix $1 is used but not declared: xmlns:$1 is missing.",
  },
  {
    pattern: /Entity '([^']+)' not defined/,
    rule: "undefined-entity",
    sentence: "&$1; is not XML: write the character itself or its number.",
  },
  {
    pattern: /xmlParseEntityRef: no name|EntityRef: expecting ';'/,
    rule: "bare-ampersand",
    sentence: "An & stands by itself: write &amp;.",
  },
  {
    pattern: /(?:invalid|PCDATA|CData).*(?:Char|char)(?: value)? ?(?:0x)?(\w+)|Invalid character/,
    rule: "control-character",
    sentence: "There is a character that XML 1.0 does not allow, such as a control character.",
  },
  {
    pattern: /Unescaped '<' not allowed/,
    rule: "bare-less-than",
    sentence: "A < stands inside an attribute: write &lt;.",
  },
  {
    pattern: /Extra content at the end/,
    rule: "trailing-content",
    sentence: "There is something behind the end of the record's element.",
  },
];

/** Violations for problems of the parser; only the first decides, the others are often its echo. */
export function notWellFormed(problems: readonly XmlProblem[], linesBefore: number): readonly Violation[] {
  const [first] = problems;
  if (first === undefined) return [];
  const { rule, message } = worded(first.message);
  const line = first.line === undefined ? undefined : first.line + linesBefore;
  return [{ gate: "well-formed", rule, severity: "error", message, ...(line !== undefined && { line }) }];
}

function worded(original: string): { rule: string; message: string } {
  for (const { pattern, rule, sentence } of WORDINGS) {
    const match = pattern.exec(original);
    if (match !== null)
      return { rule, message: sentence.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? "") };
  }
  return { rule: "not-well-formed", message: `The record is not well-formed XML: ${original}.` };
}
