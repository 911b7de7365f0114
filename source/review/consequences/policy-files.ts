import { compareText } from "../../compare-text.js";
import type { Severity } from "../../finding.js";
import { policyReferences } from "../../lint/policy-files.js";
import type { LocatedSource } from "../../located-source.js";
import type { Consequence } from "../consequence.js";
import type { ImpactFacts } from "../facts.js";
import { count, fileText, list, plural } from "../figures.js";
import type { PolicyTree } from "../policy-tree.js";
import type { ReviewInput } from "../review-input.js";
import type { PolicyFileChange } from "../source-change.js";
import { tellAt, type ConsequenceRule } from "./consequence-rule.js";

interface Used {
  readonly file: PolicyFileChange;
  /** Keys of the sources on both sides that read it, sorted. */
  readonly keys: string[];
  readonly isSchema: boolean;
}

/** A schema or rule set differs: every source that reads it is listed, once a file. Its place is from the policy root. */
export const policyFiles: ConsequenceRule = (input) =>
  [...filesInUse(input)]
    .sort(([a], [b]) => compareText(a, b))
    .map(([path, used]): Consequence => {
      const judged = replayed(input.facts.impact, used.keys);
      return tellAt({ file: path, line: 1, column: 1, length: 1 }, undefined, {
        id: used.isSchema ? "schema-changed" : "rule-changed",
        ...(judged.severity === undefined ? {} : { severity: judged.severity }),
        sentence: `${fileText(path)} ${VERBS[used.file.kind]}: it judges records of ${plural(used.keys.length, "source")} (${list(used.keys)}). ${judged.sentence}`,
        ...(judged.remedy === undefined ? {} : { remedy: judged.remedy }),
      });
    });

const VERBS = { added: "is new", removed: "is gone", changed: "changes" } as const;

function filesInUse(input: ReviewInput): ReadonlyMap<string, Used> {
  const found = new Map<string, Used>();
  for (const change of input.changes) {
    if (change.kind === "added" || change.kind === "removed") continue;
    for (const file of change.files) {
      const used = found.get(file.path);
      if (used === undefined)
        found.set(file.path, { file, keys: [change.key], isSchema: isSchema(file, input, change) });
      else used.keys.push(change.key);
    }
  }
  return found;
}

function isSchema(
  { path }: PolicyFileChange,
  input: ReviewInput,
  change: { readonly base: LocatedSource; readonly head: LocatedSource },
): boolean {
  return readAsSchema(path, change.head, input.head) || readAsSchema(path, change.base, input.base);
}

function readAsSchema(path: string, located: LocatedSource, tree: PolicyTree): boolean {
  return policyReferences(located).some(
    ({ kind, file }) => kind === "xsd" && (tree.closures.get(file) ?? [file]).includes(path),
  );
}

interface Replayed {
  readonly severity?: Severity;
  readonly sentence: string;
  readonly remedy?: string;
}

/** The replay knows sources, not files: where several files changed, its numbers are of all of them together. */
function replayed(impact: ImpactFacts | undefined, keys: readonly string[]): Replayed {
  const wanted = new Set(keys);
  const found = impact?.sources.filter(({ key }) => wanted.has(key)) ?? [];
  const judged = sum(found.map((each) => each.judged));
  if (impact === undefined || judged === 0)
    return {
      sentence: "What it does to stored records is not known.",
      remedy: "Run harvestctl impact to replay it over them.",
    };
  const refused = sum(found.map((each) => each.newlyQuarantined));
  const released = sum(found.map((each) => each.released));
  const sample = impact.judged < impact.records ? ", a sample" : "";
  return {
    ...(refused + released === 0 ? { severity: "info" } : {}),
    sentence: `Of ${plural(judged, "stored record")} judged by both sides${sample}, ${count(refused)} would be newly quarantined and ${count(released)} released.`,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
