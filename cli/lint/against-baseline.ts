import { existsSync } from "node:fs";
import { compareFindings, type Finding } from "../../source/finding.js";
import { baselineText, compareWithBaseline, type BaselineInput, type KnownFinding } from "./baseline.js";
import { readBaseline, writeBaseline } from "./baseline-file.js";

export interface BaselineOptions {
  readonly file: string;
  /** Paths that were looked at, as the repository names them: debt elsewhere is neither known nor gone. */
  readonly under: readonly string[];
}

/** Takes known findings out, and tells those that are gone. Throws Fault `config`. */
export async function againstBaseline(
  input: BaselineInput,
  { file, under }: BaselineOptions,
): Promise<{ readonly findings: readonly Finding[]; readonly known: readonly Finding[] }> {
  const baseline = await readBaseline(file);
  const { fresh, known, gone } = compareWithBaseline(input, baseline.known);
  const mended = gone
    .filter((entry) => under.some((path) => isUnder(entry.file, path)))
    .map((entry) => goneFinding(entry, file, baseline.lineOf(entry)));
  return { findings: [...fresh, ...mended].sort(compareFindings), known };
}

/** Writes a baseline of what is found; what an older one knows of files that were not looked at stays. Throws Fault `config`. */
export async function renewBaseline(input: BaselineInput, { file, under }: BaselineOptions): Promise<void> {
  const older = existsSync(file) ? (await readBaseline(file)).known : [];
  const kept = older.filter((entry) => !under.some((path) => isUnder(entry.file, path)));
  await writeBaseline(file, baselineText(input, kept));
}

function isUnder(file: string, path: string): boolean {
  return path === "" || file === path || file.startsWith(`${path}/`);
}

function goneFinding({ file, rule }: KnownFinding, baseline: string, line: number): Finding {
  return {
    rule: "baseline/gone",
    severity: "info",
    place: { file: baseline, line, column: 1, length: 1 },
    sentence: `${rule} in ${file} is no longer found.`,
    remedy: `Take it out of the baseline: run the same command with --write-baseline ${baseline}.`,
  };
}
