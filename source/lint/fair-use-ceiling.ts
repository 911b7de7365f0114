import { ceilingFor, type Ceiling } from "../fair-use.js";
import type { Finding } from "../finding.js";
import { groupByHost } from "../host.js";
import type { LocatedSource } from "../located-source.js";
import { nameOf } from "../source-name.js";
import { findingAt, placeText, type LintRule } from "./lint-rule.js";

const PATH = ["spec", "concurrency", "maxRequests"];

/** All sources of a host together stay under its ceiling; paused ones ask for nothing. */
export const fairUseCeiling: LintRule = (sources, { fairUse }) => {
  if (fairUse === undefined) return [];
  const findings: Finding[] = [];
  for (const [host, group] of groupByHost(sources.filter(({ source }) => !source.spec.suspend))) {
    const ceiling = ceilingFor(fairUse, host);
    findings.push(...(ceiling === undefined ? [noCeiling(host, group)] : overCeiling(host, group, ceiling)));
  }
  return findings;
};

function noCeiling(host: string, [first]: readonly LocatedSource[]): Finding {
  if (first === undefined) throw new RangeError("A host without sources.");
  return findingAt(first, ["spec", "baseUrl"], {
    rule: "fair-use/no-ceiling",
    severity: "warning",
    sentence: `Nobody wrote down how much ${host} allows.`,
    remedy: "Add the host, or a default, to rules/fair-use.yaml.",
  });
}

function overCeiling(host: string, group: readonly LocatedSource[], ceiling: Ceiling): readonly Finding[] {
  const total = sum(group);
  if (total <= ceiling.maxRequests) return [];
  const allowed = `${String(ceiling.maxRequests)} (${placeText(ceiling.place)})`;
  return [
    findingAt(pushedOver(group, ceiling), PATH, {
      rule: "fair-use/over-ceiling",
      severity: "error",
      sentence:
        group.length === 1
          ? `${names(group)} asks for ${String(total)} requests in flight from ${host}; its ceiling is ${allowed}.`
          : `${names(group)} together ask for ${String(total)} requests in flight from ${host}; its ceiling is ${allowed}.`,
      remedy:
        group.length === 1
          ? "Lower maxRequests, or agree a higher ceiling with the agency first."
          : "Lower one of them, or agree a higher ceiling with the agency first.",
    }),
  ];
}

/** The source with which, counted from the biggest asker down, the sum goes over the ceiling. */
function pushedOver(group: readonly LocatedSource[], { maxRequests }: Ceiling): LocatedSource {
  let running = 0;
  const biggestFirst = [...group].sort((a, b) => asked(b) - asked(a));
  const found = biggestFirst.find((located) => (running += asked(located)) > maxRequests);
  if (found === undefined) throw new RangeError("The sum is not over the ceiling.");
  return found;
}

function asked({ source }: LocatedSource): number {
  return source.spec.concurrency.maxRequests;
}

function sum(group: readonly LocatedSource[]): number {
  return group.reduce((total, located) => total + asked(located), 0);
}

/** At most four names, so that a sentence stays one. */
function names(group: readonly LocatedSource[]): string {
  const all = group.map(({ source }) => nameOf(source));
  const shown = all.length > 4 ? [...all.slice(0, 3), `${String(all.length - 3)} others`] : all;
  return shown.length === 1
    ? String(shown[0])
    : `${shown.slice(0, -1).join(", ")} and ${String(shown.at(-1))}`;
}
