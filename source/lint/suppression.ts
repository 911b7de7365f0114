import { compareFindings, type Finding, type Place } from "../finding.js";
import { groupBy } from "../group-by.js";
import type { LocatedSource } from "../located-source.js";
import { catalogueRule } from "./rule-catalogue.js";
import { DocumentNames } from "./suppression-document.js";
import { expired, incomplete, notAllowed, unknownRule, unused } from "./suppression-finding.js";
import { suppressionAnnotation, suppressionLines, type SuppressionLine } from "./suppression-line.js";

/** A finding that an annotation of its source holds back. */
export interface Suppressed {
  readonly finding: Finding;
  readonly reason: string;
  /** YYYY-MM-DD. */
  readonly until: string;
}

export interface SuppressionInput {
  readonly sources: readonly SuppressibleSource[];
  readonly findings: readonly Finding[];
  /** Texts of the files, by the name findings use: an annotation speaks for the document it stands in. */
  readonly texts: ReadonlyMap<string, string>;
  readonly now: Date;
}

/** A source whose manifest was put together from several documents says from which. */
export type SuppressibleSource = LocatedSource & { readonly parts?: readonly Place[] };

export interface Judged {
  /** What counts: findings not held back, and what is wrong with the annotations. */
  readonly findings: readonly Finding[];
  readonly suppressed: readonly Suppressed[];
}

type Line = Extract<SuppressionLine, { kind: "complete" }>;

/** Takes out of the findings what the annotations of the sources hold back, and judges the annotations themselves. */
export function applySuppressions(input: SuppressionInput): Judged {
  const annotated = input.sources.filter((source) => annotationOf(source) !== undefined);
  if (annotated.length === 0) return { findings: input.findings, suppressed: [] };
  const held = new Map<Finding, Suppressed>();
  const names = new DocumentNames(input.texts);
  const byDocument = groupBy(input.findings, ({ place }) => names.nameOf(place));
  const own = annotated.flatMap((source) => {
    const documents = new Set(partsOf(source).map((place) => names.nameOf(place)));
    const candidates = [...documents].flatMap((name) => byDocument.get(name) ?? []);
    const scene = { candidates, held, now: input.now };
    return suppressionLines(annotationOf(source) ?? "").flatMap((line) =>
      judgeLine(line, placeOfLine(source, line, input.texts), scene),
    );
  });
  const findings = input.findings.filter((finding) => !held.has(finding));
  return { findings: [...findings, ...own].sort(compareFindings), suppressed: [...held.values()] };
}

function annotationOf({ source }: LocatedSource): string | undefined {
  return source.metadata.annotations?.[suppressionAnnotation];
}

function partsOf(source: SuppressibleSource): readonly Place[] {
  return source.parts ?? [source.place(["metadata", "name"])];
}

interface Scene {
  /** Findings in the documents of this source. */
  readonly candidates: readonly Finding[];
  readonly held: Map<Finding, Suppressed>;
  readonly now: Date;
}

function judgeLine(line: SuppressionLine, at: Place, scene: Scene): readonly Finding[] {
  if (line.kind === "incomplete") return [incomplete(at, line.missing)];
  const rule = catalogueRule(line.rule);
  if (rule === undefined) return [unknownRule(at, line.rule)];
  if (!rule.suppressible) return [notAllowed(at, line.rule)];
  // The day itself still counts, wherever the reader sits: it ends with the day in UTC.
  if (scene.now.getTime() >= Date.parse(`${line.until}T00:00:00Z`) + 86_400_000)
    return [expired(at, line.rule, line.until)];
  const meant = scene.candidates.filter(({ rule: id }) => id === line.rule);
  hold(meant, line, scene.held);
  // Whether a rule about several sources finds something depends on which of them were named.
  return meant.length > 0 || rule.acrossSources === true ? [] : [unused(at, line.rule)];
}

function hold(findings: readonly Finding[], { reason, until }: Line, held: Map<Finding, Suppressed>): void {
  for (const finding of findings) held.set(finding, { finding, reason, until });
}

/** The line itself where it can be found in the text of the annotation; else the annotation. */
function placeOfLine(
  source: LocatedSource,
  { text }: SuppressionLine,
  texts: ReadonlyMap<string, string>,
): Place {
  const place = source.place(["metadata", "annotations", suppressionAnnotation]);
  const lines = (texts.get(place.file) ?? "").split(/\r\n|\r|\n/);
  // A value is at most twenty lines that count, with comments and blanks between them.
  for (let i = place.line - 1; text !== "" && i < Math.min(lines.length, place.line + 60); i += 1) {
    const column = lines[i]?.indexOf(text) ?? -1;
    if (column >= 0) return { file: place.file, line: i + 1, column: column + 1, length: text.length };
  }
  return place;
}
