import type { Finding } from "../finding.js";
import { readDocuments } from "../yaml/documents.js";
import type { Edit } from "./edit.js";

/** Mends what keeps a text from being YAML. `start` is the offset the finding points to. */
type TextFixer = (text: string, start: number) => readonly Edit[];

/** Fixers of texts that are no YAML yet. */
export const textFixers: Readonly<Record<Finding["rule"], TextFixer>> = {
  "yaml/alias": quoteSchedule,
  "yaml/syntax": quoteSchedule,
  "yaml/tab": spacesForTabs,
};

/** `schedule: *\/30 * * * *` and `schedule: @every 6h`: nothing but a schedule can be meant. */
const SCHEDULE = /^(\s*(?:schedule|"schedule"|'schedule'):[ ]+)((?:\*|@)[^"'#\r\n]*?)[ ]*(#[^\r\n]*)?\r?$/;

function quoteSchedule(text: string, start: number): readonly Edit[] {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", from);
  const [, head, value] = SCHEDULE.exec(text.slice(from, lineEnd === -1 ? text.length : lineEnd)) ?? [];
  if (head === undefined || value === undefined || !/^(\*\S* +\S|@)/.test(value)) return [];
  const at = from + head.length;
  return [{ start: at, end: at + value.length, text: JSON.stringify(value) }];
}

/** Widths editors show a tab in. */
const WIDTHS = [2, 4, 8];

/** Only where the text means the same however wide a tab is. */
function spacesForTabs(text: string): readonly Edit[] {
  const [first, ...others] = WIDTHS.map((width) => withSpaces(text, width));
  const meaning = meaningOf(first ?? "");
  if (first === undefined || meaning === undefined) return [];
  if (others.some((other) => meaningOf(other) !== meaning)) return [];
  return [{ start: 0, end: text.length, text: first }];
}

function withSpaces(text: string, width: number): string {
  return text.replace(/^[ \t]+(?=\S)/gm, (blanks) => blanks.replaceAll("\t", " ".repeat(width)));
}

function meaningOf(text: string): string | undefined {
  const { documents, findings } = readDocuments(text, "");
  return findings.length > 0 ? undefined : JSON.stringify(documents.map(({ value }) => value));
}
