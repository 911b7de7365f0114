import { eachSource, findingAt, type LintRule } from "./lint-rule.js";

/** Without overlap a record that appears a second late, or under a clock that is behind, is lost for ever. */
export const overlap: LintRule = eachSource((located) => {
  const { mode, overlapSeconds } = located.source.spec.delta;
  if (mode !== "from-cursor" || overlapSeconds > 0) return [];
  return [
    findingAt(located, ["spec", "delta", "overlapSeconds"], {
      rule: "delta/no-overlap",
      severity: "warning",
      sentence: "Without overlap a record that becomes visible a moment after its datestamp is never seen.",
      remedy: "Use 300, unless the repository's datestamps are known to be exact.",
    }),
  ];
});
