import type { Finding, Severity } from "../../source/finding.js";
import type { Theme } from "./colour.js";
import { oneLine, plural } from "./words.js";

export interface FindingsContext {
  readonly theme: Theme;
  /** Columns a sentence may take. */
  readonly width: number;
  /** Texts of the files that findings point to. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Each finding with its place, its line and a caret under what is meant, its sentence and its remedy. */
export function findingsText(findings: readonly Finding[], context: FindingsContext): string {
  const lines = new Map<string, readonly string[]>();
  for (const [file, text] of context.texts) lines.set(file, text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/));
  return findings.map((finding) => findingText(finding, lines.get(finding.place.file), context)).join("\n\n");
}

function findingText(
  finding: Finding,
  lines: readonly string[] | undefined,
  context: FindingsContext,
): string {
  const { rule, severity, place, sentence, remedy } = finding;
  const at = `${place.file}:${String(place.line)}:${String(place.column)}`;
  const head = `${context.theme.strong(oneLine(at, 300))}  ${painted(severity, context.theme)}  ${rule}`;
  const words = [sentence, remedy].filter((text) => text !== undefined).map((text) => oneLine(text, 1000));
  return [
    head,
    ...excerpt(finding, lines, context),
    ...words.flatMap((text) => indented(text, context.width)),
  ].join("\n");
}

function painted(severity: Severity, theme: Theme): string {
  const paint = { error: theme.bad, warning: theme.warn, info: theme.dim }[severity];
  return paint(severity);
}

/** The source line, cut to the width around what is meant, and the caret line under it. */
function excerpt(
  { place, severity }: Finding,
  lines: readonly string[] | undefined,
  context: FindingsContext,
): readonly string[] {
  const line = lines?.[place.line - 1];
  if (line === undefined || line.trim() === "") return [];
  const gutter = `${String(place.line).padStart(5)} | `;
  const room = Math.max(20, context.width - gutter.length);
  const cut = Math.max(0, place.column - 1 - Math.floor(room / 2));
  const from = line.length <= room ? 0 : cut;
  const shown = visible(line.slice(from, from + room));
  const column = place.column - 1 - from;
  const length = Math.max(1, Math.min(place.length, shown.length - column));
  const paint = severity === "error" ? context.theme.bad : context.theme.warn;
  return [
    `${context.theme.dim(gutter)}${shown}`,
    `${context.theme.dim("      | ")}${" ".repeat(column)}${paint("^".repeat(length))}`,
  ];
}

/** Control characters as one space each, so that a terminal obeys none of them and the caret stays where it belongs. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, " ");
}

function indented(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 3 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => `  ${line}`);
}

/** "12 sources, 3 errors, 0 warnings." */
export function countsText(sources: number, findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.filter(({ severity }) => severity === "warning").length;
  return `${plural(sources, "source")}, ${plural(errors, "error")}, ${plural(warnings, "warning")}.`;
}
