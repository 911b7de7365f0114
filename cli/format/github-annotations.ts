import { type Finding, type Severity } from "../../source/finding.js";
import { count, oneLine } from "./words.js";

type Kind = "error" | "warning" | "notice";

const KIND: Readonly<Record<Severity, Kind>> = { error: "error", warning: "warning", info: "notice" };
const KINDS: readonly Kind[] = ["error", "warning", "notice"];
/** GitHub shows ten of a kind and step, and drops the rest without a word. */
const MAX_OF_A_KIND = 10;

export interface AnnotationOptions {
  /** Name of a file in findings → path from the top of the repository with `/`; as it is when absent. */
  readonly path?: (file: string) => string;
  /** Where the rest can be read, for the notice that says how many there are, e.g. "the SARIF report". */
  readonly rest?: string;
}

/**
 * Findings as workflow commands, a line each: at most ten of a kind, errors first, each kind in the order given, and
 * a notice that says how many there are beyond them. Empty for no finding.
 */
export function githubAnnotations(findings: readonly Finding[], options: AnnotationOptions = {}): string {
  const room = roomFor(findings);
  const shown = KINDS.flatMap((kind) => of(kind, findings).slice(0, room(kind)));
  const lines = shown.map((finding) => annotation(finding, options));
  const left = findings.length - shown.length;
  return left === 0 ? lines.join("\n") : [...lines, more(left, findings, options)].join("\n");
}

function of(kind: Kind, findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity }) => KIND[severity] === kind);
}

/** The notice about the rest takes the place of one notice. */
function roomFor(findings: readonly Finding[]): (kind: Kind) => number {
  const over = KINDS.some((kind) => of(kind, findings).length > MAX_OF_A_KIND);
  return (kind) => (over && kind === "notice" ? MAX_OF_A_KIND - 1 : MAX_OF_A_KIND);
}

function annotation(finding: Finding, { path }: AnnotationOptions): string {
  const { rule, severity, place, sentence, remedy } = finding;
  const properties = {
    file: (path?.(place.file) ?? place.file).replace(/^(\.\/+)+/, ""),
    line: String(place.line),
    endLine: String(place.line),
    col: String(place.column),
    endColumn: String(place.column + place.length),
    title: rule,
  };
  const words = [sentence, remedy].filter((text) => text !== undefined).map((text) => oneLine(text, 1000));
  return command(KIND[severity], properties, words.join("\n"));
}

function more(left: number, findings: readonly Finding[], { rest }: AnnotationOptions): string {
  const totals = KINDS.map((kind) => [kind, of(kind, findings).length] as const)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => `${count(n)} ${kind}${n === 1 ? "" : "s"}`);
  const where = rest === undefined ? "Run harvestctl lint to see all." : `All are in ${rest}.`;
  const title = `${count(left)} more`;
  return command("notice", { title }, `${title} of ${totals.join(", ")} are not shown here. ${where}`);
}

function command(kind: Kind, properties: Readonly<Record<string, string>>, message: string): string {
  const listed = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${kind} ${listed.join(",")}::${escapeData(message)}`;
}

/** As @actions/core does it: what would end the line or the command is percent-encoded. */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
