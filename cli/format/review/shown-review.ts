import type { Finding } from "../../../source/finding.js";
import type { LocatedSource } from "../../../source/located-source.js";
import type { Consequence } from "../../../source/review/consequence.js";
import type { LiveFacts } from "../../../source/review/facts.js";
import type { PolicyTree } from "../../../source/review/policy-tree.js";
import type { BlastRow, Review, ReviewCounts } from "../../../source/review/review.js";
import type { FieldChange, PolicyFileChange, SourceChange } from "../../../source/review/source-change.js";
import { keyOf } from "../../../source/review/source-key.js";
import { redactedField, redactedValue } from "./redacted.js";

/** A review as every format shows it, and as JSON has it: plain data under stable names, without secrets. */
export interface ShownReview {
  readonly base: string;
  readonly head: string;
  /** How the base was chosen, where a reader must know it. */
  readonly note?: string;
  readonly counts: ReviewCounts;
  readonly rows: readonly ShownRow[];
  readonly consequences: readonly Consequence[];
  /** Of lint, of the head; `known` = the base had it too. */
  readonly findings: readonly ShownFinding[];
  readonly changes: readonly ShownChange[];
  /** Files whose text differs without any effect: comments, order of keys, place. */
  readonly noEffect: readonly string[];
  readonly live?: readonly ShownLive[];
  readonly unknowns: readonly string[];
  readonly digest: string;
}

export interface ShownRow extends Omit<BlastRow, "firstRun"> {
  /** The manifest: of the head, or of the base when it is gone. */
  readonly file?: string;
  readonly firstRun?: Omit<NonNullable<BlastRow["firstRun"]>, "at"> & {
    /** ISO 8601. */
    readonly at: string;
  };
}

export interface ShownFinding extends Finding {
  readonly known: boolean;
}

export interface ShownChange {
  readonly kind: SourceChange["kind"];
  readonly key: string;
  /** The manifest: of the head, or of the base when it is gone. */
  readonly file: string;
  /** Name before, of a renamed source. */
  readonly renamedFrom?: string;
  /** File before, of a source that was moved. */
  readonly movedFrom?: string;
  readonly fields: readonly FieldChange[];
  readonly files: readonly PolicyFileChange[];
}

export interface ShownLive extends LiveFacts {
  readonly source: string;
}

export interface ReviewedTrees {
  readonly review: Review;
  readonly base: PolicyTree;
  readonly head: PolicyTree;
  readonly note?: string;
}

/** Makes it plain, and takes secrets out of every text. */
export function shownReview({ review, base, head, note }: ReviewedTrees): ShownReview {
  const { counts, consequences, unknowns, digest, live } = review;
  const files = new Map([...filesOf(base), ...filesOf(head)]);
  const changes = review.changes.map(shownChange);
  return redactedReview({
    base: review.base,
    head: review.head,
    ...(note === undefined ? {} : { note }),
    counts,
    rows: review.rows.map((row) => shownRow(row, files)),
    consequences,
    findings: review.findings.map(({ finding, known }) => ({ ...finding, known })),
    changes,
    noEffect: filesWithoutEffect({ base, head }, changes),
    ...(live === undefined ? {} : { live: [...live].map(([source, facts]) => ({ source, ...facts })) }),
    unknowns,
    digest,
  });
}

function redactedReview(shown: ShownReview): ShownReview {
  const changes = shown.changes.map((change) => ({
    ...change,
    fields: change.fields.map((field) => ({
      ...field,
      ...("before" in field ? { before: redactedField(field.field, field.before) } : {}),
      ...("after" in field ? { after: redactedField(field.field, field.after) } : {}),
    })),
  }));
  const live = shown.live?.map((facts) => ({
    ...facts,
    drift: facts.drift.map((edit) => ({
      ...edit,
      ...("base" in edit ? { base: redactedField(edit.field, edit.base) } : {}),
      ...("live" in edit ? { live: redactedField(edit.field, edit.live) } : {}),
    })),
  }));
  return redactedValue({ ...shown, changes, ...(live === undefined ? {} : { live }) });
}

function filesOf({ sources }: PolicyTree): readonly (readonly [string, string])[] {
  return sources.map((located) => [keyOf(located), located.file] as const);
}

function shownRow({ firstRun, ...row }: BlastRow, files: ReadonlyMap<string, string>): ShownRow {
  const file = files.get(row.key);
  return {
    ...row,
    ...(file === undefined ? {} : { file }),
    ...(firstRun === undefined ? {} : { firstRun: { ...firstRun, at: firstRun.at.toISOString() } }),
  };
}

function shownChange(change: SourceChange): ShownChange {
  const { kind, key, files } = change;
  if (kind === "added") return { kind, key, file: change.head.file, fields: [], files };
  if (kind === "removed") return { kind, key, file: change.base.file, fields: [], files };
  return {
    kind,
    key,
    file: change.head.file,
    ...renamedFrom(change.base, key),
    ...(change.movedFrom === undefined ? {} : { movedFrom: change.movedFrom }),
    fields: change.fields,
    files,
  };
}

function renamedFrom(base: LocatedSource, key: string): { readonly renamedFrom?: string } {
  const before = keyOf(base);
  return before === key ? {} : { renamedFrom: before };
}

/** Files that hold sources, differ, and hold none that changes. */
function filesWithoutEffect(
  { base, head }: Pick<ReviewedTrees, "base" | "head">,
  changes: readonly ShownChange[],
): readonly string[] {
  const told = new Set(changes.flatMap(({ file, movedFrom }) => [file, movedFrom ?? file]));
  const withSources = new Set([...base.sources, ...head.sources].map(({ file }) => file));
  return [...withSources]
    .filter((file) => !told.has(file) && base.texts.get(file) !== head.texts.get(file))
    .sort();
}
