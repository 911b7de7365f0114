import type { Severity } from "../../source/finding.js";
import type { Review, ReviewCounts, ReviewedFinding } from "../../source/review/review.js";

/** Rules of lint that say what a consequence at the same line says too, in the words of a change. */
const SAME: ReadonlyMap<string, string> = new Map([
  ["fair-use/over-ceiling", "concurrency-over-ceiling"],
  ["prefix/no-transform", "transform-missing"],
  ["transport/cleartext", "encryption-dropped"],
  ["delta/no-overlap", "overlap-lowered"],
]);

const COUNT: Readonly<Record<Severity, "errors" | "warnings" | "infos">> = {
  error: "errors",
  warning: "warnings",
  info: "infos",
};

/** A review in which nothing is told and counted twice: where a consequence is at least as severe, lint's finding goes. */
export function withoutEchoes(review: Review): Review {
  const echoes = new Set(review.findings.filter((each) => isEcho(each, review)));
  if (echoes.size === 0) return review;
  const findings = review.findings.filter((each) => !echoes.has(each));
  return { ...review, findings, counts: countsWithout(echoes, review.counts) };
}

function isEcho({ finding, known }: ReviewedFinding, { consequences }: Review): boolean {
  const id = SAME.get(finding.rule);
  const { file, line } = finding.place;
  return (
    !known &&
    consequences.some(
      (each) =>
        each.id === id &&
        each.place.file === file &&
        each.place.line === line &&
        (each.severity === "error" || each.severity === finding.severity),
    )
  );
}

function countsWithout(echoes: ReadonlySet<ReviewedFinding>, counts: ReviewCounts): ReviewCounts {
  const left = { errors: counts.errors, warnings: counts.warnings, infos: counts.infos };
  for (const { finding } of echoes) left[COUNT[finding.severity]] -= 1;
  return { ...counts, ...left };
}
