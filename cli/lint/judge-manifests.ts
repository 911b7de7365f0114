import { compareFindings, type Finding } from "../../source/finding.js";
import { lint } from "../../source/lint/index.js";
import { applySuppressions, type Suppressed } from "../../source/lint/suppression.js";
import { gatherLintContext } from "../lint-context.js";
import type { GatheredManifests } from "./gather-manifests.js";

export interface JudgeOptions {
  readonly root: string;
  readonly now: Date;
  /** True: schemas and rule sets are looked for, but not compiled, which takes longer than all the rest. */
  readonly quick: boolean;
}

export interface JudgedManifests {
  readonly findings: readonly Finding[];
  readonly suppressed: readonly Suppressed[];
  /** Texts of the files that findings point to, by the name used in them. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Asks every rule of every set, and takes out what annotations hold back. Throws Fault `config`. */
export async function judgeManifests(
  { files, sets }: GatheredManifests,
  { root, now, quick }: JudgeOptions,
): Promise<JudgedManifests> {
  const all = sets.flatMap(({ sources }) => sources);
  const gathered = await gatherLintContext(root, all, { now, quick });
  const found = sets.map((set) => ({
    sources: set.sources,
    findings: [...set.findings, ...lint(set.sources, gathered.context)],
  }));
  const wanted = new Set([
    ...found.flatMap(({ findings }) => findings.map(({ place }) => place.file)),
    ...all.filter(({ source }) => source.metadata.annotations !== undefined).map(({ file }) => file),
  ]);
  const texts = new Map([...gathered.texts, ...textsOf(files, wanted)]);
  const judged = found.map((set) => applySuppressions({ ...set, texts, now }));
  return {
    findings: unique([...gathered.findings, ...judged.flatMap(({ findings }) => findings)]),
    suppressed: judged.flatMap(({ suppressed }) => suppressed),
    texts,
  };
}

/** A base that several overlays use is told once. */
function unique(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  return [...findings].sort(compareFindings).filter(({ rule, place, sentence }) => {
    const key = JSON.stringify([rule, place, sentence]);
    return !seen.has(key) && seen.add(key);
  });
}

function textsOf(
  files: GatheredManifests["files"],
  wanted: ReadonlySet<string>,
): readonly (readonly [string, string])[] {
  return files
    .filter(({ path }) => wanted.has(path))
    .map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)] as const);
}
