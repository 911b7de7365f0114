import { compareText } from "../../source/compare-text.js";
import type { Finding } from "../../source/finding.js";
import { fingerprints } from "../format/sarif/fingerprint.js";
import { oneLine } from "../format/words.js";

/** One known finding, as it stands in a baseline. */
export interface KnownFinding {
  /** From the top of the repository, with `/`. */
  readonly file: string;
  readonly rule: string;
  /** Stays when lines move (cli/format/sarif/fingerprint.ts). */
  readonly fingerprint: string;
  /** For people who review the file. */
  readonly sentence: string;
}

export interface BaselineInput {
  readonly findings: readonly Finding[];
  readonly texts: ReadonlyMap<string, string>;
  /** Name of a file in findings → path from the top of the repository. */
  readonly path: (file: string) => string;
}

/**
 * What is found today as a baseline: errors and warnings, sorted, one on a line, the same bytes for the same findings.
 * `kept` is known of files that were not looked at.
 */
export function baselineText(input: BaselineInput, kept: readonly KnownFinding[] = []): string {
  const debt = withKeys(input).filter(({ finding }) => isDebt(finding));
  const lines = [...debt.map(({ known }) => known), ...kept]
    .sort((a, b) => compareText(keyOf(a), keyOf(b)))
    .map((known) => `    ${JSON.stringify(known)}`);
  const list = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n  ]`;
  return `{\n  "version": 1,\n  "findings": ${list}\n}\n`;
}

/** Findings parted into what the baseline knows and what it does not, and the known ones that are no longer found. */
export function compareWithBaseline(
  input: BaselineInput,
  baseline: readonly KnownFinding[],
): {
  readonly fresh: readonly Finding[];
  readonly known: readonly Finding[];
  readonly gone: readonly KnownFinding[];
} {
  const expected = new Set(baseline.map(keyOf));
  const found = new Set<string>();
  const fresh: Finding[] = [];
  const known: Finding[] = [];
  for (const { finding, known: entry } of withKeys(input)) {
    const key = keyOf(entry);
    if (isDebt(finding)) found.add(key);
    (expected.has(key) && isDebt(finding) ? known : fresh).push(finding);
  }
  return { fresh, known, gone: baseline.filter((entry) => !found.has(keyOf(entry))) };
}

/** A warning that an exception has ended is news, not debt: taken in, it would let the exception live on. */
function isDebt({ severity, rule }: Finding): boolean {
  return severity !== "info" && !rule.startsWith("suppression/");
}

function withKeys({ findings, texts, path }: BaselineInput): readonly {
  readonly finding: Finding;
  readonly known: KnownFinding;
}[] {
  const marks = fingerprints(findings, texts);
  return findings.map((finding, i) => ({
    finding,
    known: {
      file: path(finding.place.file),
      rule: finding.rule,
      fingerprint: marks[i] ?? "",
      sentence: oneLine(finding.sentence, 300),
    },
  }));
}

function keyOf({ file, rule, fingerprint }: KnownFinding): string {
  return `${file}\n${rule}\n${fingerprint}`;
}
