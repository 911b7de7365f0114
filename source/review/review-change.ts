import { compareText } from "../compare-text.js";
import { compareFindings, severityRank, type Finding, type Place } from "../finding.js";
import { blastRows } from "./blast-rows.js";
import type { Consequence } from "./consequence.js";
import { consequenceRules } from "./consequences/index.js";
import type { ReviewFacts } from "./facts.js";
import type { PolicyTree } from "./policy-tree.js";
import type { BlastRow, Review, ReviewCounts, ReviewedFinding } from "./review.js";
import { reviewDigest } from "./review-digest.js";
import { reviewInput } from "./review-input.js";
import type { SourceChange } from "./source-change.js";
import { toldAlready } from "./told-already.js";
import { unknownsOf } from "./unknowns.js";

export interface ReviewOptions {
  /** Asked for the first run alone: the same sides and facts give the same consequences at any time. */
  readonly now: Date;
  readonly facts: ReviewFacts;
}

/** What merging `head` into `base` will do. Deterministic; the order of files decides nothing. */
export function reviewChange(base: PolicyTree, head: PolicyTree, options: ReviewOptions): Review {
  const { now, facts } = options;
  const input = reviewInput(base, head, facts);
  const consequences = consequenceRules.flatMap((rule) => rule(input)).sort(compareConsequences);
  const told = toldAlready(head.sources, consequences);
  const findings = reviewedFindings(base, head).filter(({ finding }) => !told(finding));
  return {
    base: base.label,
    head: head.label,
    counts: countsOf(input.changes, consequences, findings),
    rows: bySeverity(blastRows(input, now), consequences),
    consequences,
    findings,
    changes: input.changes.filter(({ kind }) => kind !== "unchanged"),
    ...(facts.live === undefined ? {} : { live: facts.live }),
    unknowns: unknownsOf(input),
    digest: reviewDigest(base, head, facts),
  };
}

/** A finding is known when the base had the same rule and sentence; lines move without meaning. */
function reviewedFindings(base: PolicyTree, head: PolicyTree): readonly ReviewedFinding[] {
  const known = new Set(base.findings.map(findingKey));
  return [...head.findings]
    .sort(compareFindings)
    .map((finding) => ({ finding, known: known.has(findingKey(finding)) }));
}

function findingKey({ rule, sentence }: Finding): string {
  return `${rule} ${sentence.replace(/(\.ya?ml):\d+/g, "$1")}`;
}

function countsOf(
  changes: readonly SourceChange[],
  consequences: readonly Consequence[],
  findings: readonly ReviewedFinding[],
): ReviewCounts {
  const fresh = findings.filter(({ known }) => !known).map(({ finding }) => finding);
  const said = [...consequences, ...fresh].map(({ severity }) => severity);
  const kinds = changes.map(({ kind }) => kind);
  return {
    added: countOf(kinds, "added"),
    changed: countOf(kinds, "changed"),
    renamed: countOf(kinds, "renamed"),
    removed: countOf(kinds, "removed"),
    unchanged: countOf(kinds, "unchanged"),
    errors: countOf(said, "error"),
    warnings: countOf(said, "warning"),
    infos: countOf(said, "info"),
  };
}

function countOf<T>(all: readonly T[], wanted: T): number {
  return all.filter((each) => each === wanted).length;
}

/** After every row that something is said of. */
const NOTHING_SAID = 3;

function bySeverity(rows: readonly BlastRow[], consequences: readonly Consequence[]): readonly BlastRow[] {
  const worst = new Map<string, number>();
  // Sorted, so the first one of a source is its worst.
  for (const { source, severity } of consequences)
    if (source !== undefined && !worst.has(source)) worst.set(source, severityRank(severity));
  function rank({ key }: BlastRow): number {
    return worst.get(key) ?? NOTHING_SAID;
  }
  return [...rows].sort((a, b) => rank(a) - rank(b) || compareText(a.key, b.key));
}

/** Most severe first, then by source (the policy as a whole before all), id, and sentence. */
function compareConsequences(a: Consequence, b: Consequence): number {
  return (
    severityRank(a.severity) - severityRank(b.severity) ||
    compareText(a.source ?? "", b.source ?? "") ||
    compareText(a.id, b.id) ||
    comparePlaces(a.place, b.place) ||
    compareText(a.sentence, b.sentence)
  );
}

function comparePlaces(a: Place, b: Place): number {
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column;
}
