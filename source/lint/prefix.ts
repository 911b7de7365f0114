import { didYouMean } from "../did-you-mean.js";
import { eachSource, findingAt, type LintRule } from "./lint-rule.js";

/** The metadata prefix is one that the transformation maps. */
export const prefix: LintRule = eachSource((located, { prefixes }) => {
  const written = located.source.spec.metadataPrefix;
  if (prefixes.includes(written)) return [];
  const meant = didYouMean(written, prefixes);
  const known = `Known are ${prefixes.join(", ")}`;
  return [
    findingAt(located, ["spec", "metadataPrefix"], {
      rule: "prefix/no-transform",
      severity: "error",
      sentence: `Nothing maps records of prefix ${written} to the catalogue.`,
      remedy:
        meant === undefined
          ? `${known}; a new one needs a transform first.`
          : `Did you mean ${meant}? ${known}.`,
    }),
  ];
});
