/** The annotation that holds findings of its source back. */
export const suppressionAnnotation = "ingest.geoportal.io/lint-ignore";

/** As many as anybody could still read; the API server takes 256 KiB of annotations. */
const MAX_LINES = 20;
const MAX_LENGTH = 300;

/** One line of the annotation: `rule until YYYY-MM-DD: reason`. */
export type SuppressionLine =
  | {
      readonly kind: "complete";
      /** As written, trimmed. */
      readonly text: string;
      readonly rule: string;
      /** The last day it holds, YYYY-MM-DD, to its end in UTC. */
      readonly until: string;
      readonly reason: string;
    }
  | { readonly kind: "incomplete"; readonly text: string; readonly missing: string };

/** The lines of an annotation's value; blank ones and comments (#) are left out. */
export function suppressionLines(value: string): readonly SuppressionLine[] {
  const lines = value
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length === 0) return [{ kind: "incomplete", text: "", missing: "it is empty" }];
  const read = lines.slice(0, MAX_LINES).map(readLine);
  if (lines.length <= MAX_LINES) return read;
  const missing = `only the first ${String(MAX_LINES)} lines are read`;
  return [...read, { kind: "incomplete", text: lines[MAX_LINES] ?? "", missing }];
}

function readLine(text: string): SuppressionLine {
  const problem = whatIsMissing(text);
  const [, rule = "", until = "", reason = ""] = LINE.exec(text) ?? [];
  return problem === undefined
    ? { kind: "complete", text, rule, until, reason: reason.trim() }
    : { kind: "incomplete", text, missing: problem };
}

const LINE = /^([A-Za-z0-9/._-]+)\s+until\s+(\d{4}-\d{2}-\d{2})\s*:(.*)$/;

function whatIsMissing(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return `it has more than ${String(MAX_LENGTH)} characters`;
  if (!/^[A-Za-z0-9/._-]+(\s|:|$)/.test(text)) return "it does not begin with the id of a rule";
  const date = /\suntil\s+([^\s:]*)/.exec(text)?.[1];
  if (date === undefined) return "it has no end date";
  if (!isDate(date)) return `${JSON.stringify(date)} is no date`;
  const [, , , reason] = LINE.exec(text) ?? [];
  if (reason === undefined || reason.trim().length < 3) return "it has no reason";
  return undefined;
}

/** A day that exists: 2027-02-30 does not. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
