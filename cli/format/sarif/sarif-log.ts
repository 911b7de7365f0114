import { severityRank, type Finding, type Severity } from "../../../source/finding.js";
import type { RuleDescriptor } from "../../../source/rule-descriptor.js";
import { count, oneLine } from "../words.js";
import { fingerprints } from "./fingerprint.js";
import { sarifRule } from "./sarif-rule.js";
import { sarifUri } from "./sarif-uri.js";
import type { SarifLevel, SarifLog, SarifResult, SarifRun } from "./sarif-shape.js";

/** A finding that is known and accepted: told, but not counted. */
export interface SuppressedFinding {
  readonly finding: Finding;
  /** manifest = by an annotation beside it; baseline = by a file of known findings. */
  readonly by: "manifest" | "baseline";
  /** Why, as somebody wrote it. */
  readonly justification: string;
}

export interface SarifInput {
  /** Of harvestctl. */
  readonly version: string;
  /** Which check this is, e.g. "lint" or "diff": code scanning keeps the results of each apart. */
  readonly category: string;
  /** Every rule that may be found; those without a result are listed too. */
  readonly rules: readonly RuleDescriptor[];
  readonly findings: readonly Finding[];
  readonly suppressed?: readonly SuppressedFinding[];
  /** Texts of the files, by the name findings use: fingerprints are made from their lines. */
  readonly texts: ReadonlyMap<string, string>;
  /** Name of a file in findings → path from the top of the repository with `/`; as it is when absent. */
  readonly path?: (file: string) => string;
}

/** Code scanning refuses a run with more results. */
const MAX_RESULTS = 25_000;
const ROOT = "%SRCROOT%";
const LEVEL: Readonly<Record<Severity, SarifLevel>> = { error: "error", warning: "warning", info: "note" };

/** Findings as SARIF 2.1.0 (OASIS standard of 2020), within the limits of GitHub code scanning; the same bytes for the same input. */
export function sarifText(input: SarifInput): string {
  return `${JSON.stringify(sarifLog(input), null, 2)}\n`;
}

/** The same as an object. */
export function sarifLog(input: SarifInput): SarifLog {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [run(input)],
  };
}

function run(input: SarifInput): SarifRun {
  const { kept, left } = within(all(input));
  const indices = new Map(input.rules.map(({ id }, i) => [id, i]));
  const marks = fingerprints(
    kept.map(({ finding }) => finding),
    input.texts,
  );
  return {
    tool: {
      driver: { name: "harvestctl", semanticVersion: input.version, rules: input.rules.map(sarifRule) },
    },
    automationDetails: { id: `harvestctl-${input.category}/` },
    columnKind: "utf16CodeUnits",
    originalUriBaseIds: { [ROOT]: { description: { text: "The top of the repository." } } },
    invocations: [{ executionSuccessful: true, ...leftOut(left) }],
    results: kept.map((each, i) => ({
      ...result(each, input),
      ...(indices.has(each.finding.rule) ? { ruleIndex: indices.get(each.finding.rule) } : {}),
      partialFingerprints: { primaryLocationLineHash: marks[i] ?? "" },
    })),
  };
}

type Told = { readonly finding: Finding } & Partial<Omit<SuppressedFinding, "finding">>;

function all({ findings, suppressed = [] }: SarifInput): readonly Told[] {
  return [...findings.map((finding) => ({ finding })), ...suppressed];
}

/** The most severe when there are too many; else in the order given. */
function within(told: readonly Told[]): { readonly kept: readonly Told[]; readonly left: number } {
  if (told.length <= MAX_RESULTS) return { kept: told, left: 0 };
  const sorted = [...told].sort((a, b) => rank(a) - rank(b));
  return { kept: sorted.slice(0, MAX_RESULTS), left: told.length - MAX_RESULTS };
}

function rank({ finding, by }: Told): number {
  return severityRank(finding.severity) + (by === undefined ? 0 : 3);
}

function leftOut(left: number): Partial<SarifRun["invocations"][number]> {
  if (left === 0) return {};
  const text = `${count(left)} more results are left out: a run may hold ${count(MAX_RESULTS)}.`;
  return { toolExecutionNotifications: [{ level: "warning", message: { text } }] };
}

function result(told: Told, input: SarifInput): Omit<SarifResult, "partialFingerprints" | "ruleIndex"> {
  const { rule, severity, sentence, remedy, place } = told.finding;
  return {
    ruleId: rule,
    level: LEVEL[severity],
    message: { text: literal(remedy === undefined ? sentence : `${sentence} ${remedy}`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: location(input.path?.(place.file) ?? place.file),
          // The end column of SARIF is the one after the last (§3.30.8).
          region: {
            startLine: place.line,
            startColumn: place.column,
            endLine: place.line,
            endColumn: place.column + place.length,
          },
        },
      },
    ],
    ...suppression(told),
  };
}

function location(path: string): { readonly uri: string; readonly uriBaseId?: string } {
  const uri = sarifUri(path);
  return uri.startsWith("file:") ? { uri } : { uri, uriBaseId: ROOT };
}

function suppression({ by, justification = "" }: Told): Pick<SarifResult, "suppressions"> {
  if (by === undefined) return {};
  const kind = by === "manifest" ? "inSource" : "external";
  return { suppressions: [{ kind, status: "accepted", justification: literal(justification) }] };
}

/** Words of a manifest must not become a link ([text](address), §3.11.6) or a placeholder ({0}, §3.11.5). */
function literal(text: string): string {
  return oneLine(text, 2000)
    .replaceAll("](", "] (")
    .replace(/\{(\d+)\}/g, "{ $1 }");
}
