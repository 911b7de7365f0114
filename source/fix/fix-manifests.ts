import type { Finding } from "../finding.js";
import { timeZone } from "../lint/time-zone.js";
import { parseManifests } from "../parse.js";
import { readDocuments, type YamlDocument } from "../yaml/documents.js";
import { readText } from "../yaml/read-text.js";
import { applyEdits, type Edit } from "./edit.js";
import type { Fixer } from "./fixer.js";
import { itemFixers } from "./item-fixers.js";
import { nodeAt } from "./node-at.js";
import { scalarFixers } from "./scalar-fixers.js";
import { textFixers } from "./text-fixers.js";

/** A text that was mended. */
export interface FixedText {
  /** The same as before where nothing was mended. */
  readonly text: string;
  /** Findings that are gone, with the places they had when they were mended. */
  readonly mended: readonly Finding[];
}

/** One mistake can hide another; in a big text looking again takes seconds. */
const MAX_PASSES = 100;
const MAX_PASSES_OF_BIG = 8;
const BIG = 100_000;

const nodeFixers: Readonly<Record<string, Fixer>> = { ...scalarFixers, ...itemFixers };

/** Rules that may be mended; the catalogue says the same (a test holds both together). */
export const fixableRules: readonly string[] = [...Object.keys(nodeFixers), ...Object.keys(textFixers)];

/**
 * Mends what can mean only one thing, and leaves every other character of the text as it is. Mending again changes
 * nothing. A change that leaves more findings than it takes away is not made.
 */
export function fixManifests(text: string, file: string): FixedText {
  const mended: Finding[] = [];
  let now = text;
  const passes = text.length > BIG ? MAX_PASSES_OF_BIG : MAX_PASSES;
  for (let pass = 0; pass < passes; pass += 1) {
    const step = mendOnce(now, file);
    if (step === undefined) break;
    now = step.text;
    mended.push(...step.mended);
  }
  return { text: now, mended };
}

interface Mending {
  readonly finding: Finding;
  readonly edits: readonly Edit[];
}

function mendOnce(text: string, file: string): FixedText | undefined {
  const findings = findingsOf(text, file);
  const mendings = mendingsOf(text, file, findings).filter(({ edits }) => edits.length > 0);
  const apart = withoutOverlap(mendings);
  const before = weigh(findings);
  return tried({ text, file, before }, apart) ?? firstThatHelps({ text, file, before }, apart);
}

interface Weight {
  readonly all: number;
  readonly errors: number;
}

function weigh(findings: readonly Finding[]): Weight {
  return { all: findings.length, errors: findings.filter(({ severity }) => severity === "error").length };
}

interface Try {
  readonly text: string;
  readonly file: string;
  /** Of the text. */
  readonly before: Weight;
}

function tried({ text, file, before }: Try, mendings: readonly Mending[]): FixedText | undefined {
  if (mendings.length === 0) return undefined;
  const after = applyEdits(
    text,
    mendings.flatMap(({ edits }) => edits),
  );
  // A text that is no YAML hides all its other findings: there only the complaint about it counts.
  const unread = mendings.some(
    ({ finding }) => finding.rule.startsWith("yaml/") && finding.rule in textFixers,
  );
  const helps = unread
    ? mendedText(after, file, mendings)
    : isNoWorse(weigh(findingsOf(after, file)), before);
  return helps && after !== text
    ? { text: after, mended: mendings.map(({ finding }) => finding) }
    : undefined;
}

/** An item that stands thrice, or a map whose only field was empty, takes a second time. */
function isNoWorse(after: Weight, before: Weight): boolean {
  return after.all <= before.all && after.errors <= before.errors;
}

/** Does the text no longer break these rules at these lines? */
function mendedText(after: string, file: string, mendings: readonly Mending[]): boolean {
  const still = findingsOf(after, file);
  return mendings.every(
    ({ finding }) =>
      !still.some(({ rule, place }) => rule === finding.rule && place.line === finding.place.line),
  );
}

function firstThatHelps(given: Try, mendings: readonly Mending[]): FixedText | undefined {
  for (const mending of mendings) {
    const step = tried(given, [mending]);
    if (step !== undefined) return step;
  }
  return undefined;
}

function findingsOf(text: string, file: string): readonly Finding[] {
  const { sources, findings } = parseManifests(text, { file, named: false });
  return [...findings, ...timeZone(sources, NO_CONTEXT)];
}

/** The one rule beyond the text that can be mended asks nothing of the world. */
const NO_CONTEXT = { prefixes: [], checkPolicyFile: () => ({ ok: true }) as const, now: new Date(0) };

function mendingsOf(text: string, file: string, findings: readonly Finding[]): readonly Mending[] {
  const read = readText(text, file);
  if (!read.ok) return [];
  const { documents } = readDocuments(read.text, file);
  const starts = lineStarts(text);
  return findings.map((finding) => {
    const start = (starts[finding.place.line - 1] ?? 0) + finding.place.column - 1;
    const byText = Object.hasOwn(textFixers, finding.rule) ? textFixers[finding.rule] : undefined;
    return { finding, edits: byText?.(text, start) ?? byNode(documents, { finding, start, text }) };
  });
}

function byNode(
  documents: readonly YamlDocument[],
  { finding, start, text }: { readonly finding: Finding; readonly start: number; readonly text: string },
): readonly Edit[] {
  const fixer = Object.hasOwn(nodeFixers, finding.rule) ? nodeFixers[finding.rule] : undefined;
  if (fixer === undefined) return [];
  for (const document of documents) {
    const at = nodeAt(document.document, start);
    const edit = at === undefined ? undefined : fixer({ finding, at, document, text });
    if (edit !== undefined) return [edit];
  }
  return [];
}

function withoutOverlap(mendings: readonly Mending[]): readonly Mending[] {
  let done = -1;
  return [...mendings]
    .sort((a, b) => (a.edits[0]?.start ?? 0) - (b.edits[0]?.start ?? 0))
    .filter(({ edits }) => {
      const first = edits[0]?.start ?? 0;
      if (first < done) return false;
      done = edits.at(-1)?.end ?? done;
      return true;
    });
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
