import { isTimeZone, spellingOf, timeZoneNames } from "../cron/time-zone.js";
import { didYouMean } from "../did-you-mean.js";
import { eachSource, findingAt, type LintRule } from "./lint-rule.js";

/** An IANA time zone, spelt as the API server spells it. */
export const timeZone: LintRule = eachSource((located) => {
  const name = located.source.spec.timeZone;
  if (isTimeZone(name)) return [];
  const meant = spellingOf(name) ?? didYouMean(name, timeZoneNames());
  return [
    findingAt(located, ["spec", "timeZone"], {
      rule: "schedule/time-zone",
      severity: "error",
      sentence: `There is no time zone ${JSON.stringify(name)}.`,
      remedy:
        meant === undefined ? "Use an IANA name, e.g. Etc/UTC or America/Chicago." : `Did you mean ${meant}?`,
    }),
  ];
});
