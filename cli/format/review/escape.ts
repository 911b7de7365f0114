/**
 * Text of a stranger in a comment that a forge renders: what is shown is what is written, and nothing of it acts. Markup,
 * HTML, tables, mentions, references, addresses and formulas stay text; what cannot be seen is made visible.
 */

const ZERO_WIDTH = "&#8203;";
/** Longer values say nothing more to a reader. */
const MAX_CODE = 200;

/** Control and formatting characters (they turn text around, or hide it) by their number; line ends as a space. */
export function visible(text: string): string {
  return text
    .replace(/[\t\n\r\u2028\u2029]+/g, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (c) => `⟨U+${hex(c)}⟩`);
}

/** The same for lines of a block: the lines stay. */
export function visibleLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) =>
      line.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, (c) => (c === "\t" ? "  " : `⟨U+${hex(c)}⟩`)),
    )
    .join("\n");
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/** What would act: markup of Markdown, HTML and tables, formulas, mentions, references, addresses, words for pictures. */
const ACTS =
  /[&\\`*[\]<>|~$^@#]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\/\/)|(?<!\d):(?=[\w+-]+:)|(?<=\bGH)-(?=\d)|(?<=\bwww)\./giu;

/** A sentence, on one line, anywhere in a line of Markdown or in a cell of a table. */
export function prose(text: string, most = 1000): string {
  // A forge looks for these after the Markdown was read, so that an entity alone would not stop it.
  return cut(visible(text), most).replace(ACTS, disarmed);
}

function disarmed(character: string): string {
  if (character === ".") return ZERO_WIDTH + character;
  return "@#:-".includes(character) ? character + ZERO_WIDTH : entity(character);
}

/** A value as code: nothing in it is markup, and nobody is mentioned by it. */
export function code(text: string, most = MAX_CODE): string {
  const shown = cut(visible(text), most);
  if (shown.trim() === "") return "` `";
  const fence = "`".repeat(longestRun(shown) + 1);
  const space = /^[` ]|[` ]$/.test(shown) ? " " : "";
  return fence + space + shown + space + fence;
}

/** The same in a cell of a table, which is cut at pipes before anything else is read. */
export function codeCell(text: string, most = MAX_CODE): string {
  return code(text, most).replace(/\\*\|/g, (run) => `${"\\".repeat(2 * (run.length - 1))}\\|`);
}

/** A block of lines; the fence is longer than any in it. */
export function fenced(lines: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(lines) + 1));
  return `${fence}${language}\n${lines}\n${fence}`;
}

/** Text in HTML that Markdown does not look into, as the summary of a fold; put it into a code element, where a forge mentions nobody. */
export function html(text: string, most = MAX_CODE): string {
  return cut(visible(text), most).replace(/[&<>"'`*_[\]\\|~$@#:]/g, entity);
}

function cut(text: string, most: number): string {
  const points = Array.from(text);
  return points.length <= most ? text : `${points.slice(0, most - 1).join("")}…`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

function entity(character: string): string {
  return `&#${String(character.codePointAt(0))};`;
}
