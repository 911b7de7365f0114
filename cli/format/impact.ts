import type {
  Impact,
  ImpactExample,
  NotReplayed,
  RuleImpact,
  SourceReplay,
} from "../../harvester/impact/impact.js";
import type { Interval } from "../../harvester/impact/interval.js";
import type { ImpactProgress } from "../../harvester/impact/replay-group.js";
import type { Theme } from "./colour.js";
import { paragraph } from "./paragraph.js";
import { table, type Column } from "./table.js";
import { count, duration, oneLine, plural } from "./words.js";

export interface ImpactReport {
  readonly impact: Impact;
  /** Labels of the sides. */
  readonly base: string;
  readonly head: string;
  /** Files of --records that belong to no source whose policy changes. */
  readonly strangers: number;
}

/** The verdict, a row a source, the rules with examples, and what could not be replayed. */
export function impactText(report: ImpactReport, { theme, width }: { theme: Theme; width: number }): string {
  const { impact } = report;
  const parts = [verdict(report, theme, width)];
  if (impact.sources.length > 0) parts.push(table(impact.sources, columnsOf(impact), width));
  for (const source of impact.sources) {
    const lines = rulesOf(source, width);
    if (lines.length > 0) parts.push([theme.strong(oneLine(source.key, 90)), ...lines].join("\n"));
  }
  if (impact.notReplayed.length > 0)
    parts.push(["Not replayed:", ...impact.notReplayed.map((one) => `  ${reasonOf(one)}`)].join("\n"));
  if (report.strangers > 0)
    parts.push(`${plural(report.strangers, "file")} belong to no source whose policy changes.`);
  return parts.join("\n\n");
}

/** A policy file that is unusable says nothing of the source that names it. */
function reasonOf({ key, reason, sentence }: NotReplayed): string {
  return oneLine(reason === "unusable" ? `${key}: ${sentence}` : sentence, 300);
}

/** The sentence a reviewer reads. */
export function impactSentence(impact: Impact): string {
  const { newlyQuarantined: newly, released, records, judged, sources, estimate } = impact;
  const of = `of ${plural(sources.length, "source")}`;
  if (estimate === undefined)
    return `${count(newly)} of ${plural(records, "record")} ${of} would be newly quarantined; ${count(released)} would be released.`;
  return `${count(newly)} of ${count(judged)} sampled records ${of} would be newly quarantined, ${count(released)} released. Of all ${plural(records, "record")} that means ${between(estimate.newlyQuarantined)} newly quarantined and ${between(estimate.released)} released (95 % confidence).`;
}

function verdict({ impact, base, head }: ImpactReport, theme: Theme, width: number): string {
  const sides = `${oneLine(base, 60)} → ${oneLine(head, 60)}`;
  if (impact.sources.length === 0 && impact.notReplayed.length === 0)
    return `No source's rules or schemas change (${sides}): there is nothing to replay.`;
  if (impact.sources.length === 0) return `Nothing was replayed (${sides}).`;
  const paint = impact.newlyQuarantined > 0 ? theme.bad : theme.good;
  return `${paint(paragraph("", impactSentence(impact), width))}\n${sides}`;
}

function between({ low, high }: Interval): string {
  return low === high ? count(low) : `${count(low)} to ${count(high)}`;
}

function columnsOf(impact: Impact): readonly Column<SourceReplay>[] {
  const counts: readonly Column<SourceReplay>[] = [
    { title: "source", cell: (row) => row.key, shrinks: true },
    { title: "records", cell: (row) => count(row.records), align: "right" },
    { title: "judged", cell: (row) => count(row.judged), align: "right" },
    { title: "newly quarantined", cell: (row) => count(row.newlyQuarantined), align: "right" },
    { title: "released", cell: (row) => count(row.released), align: "right" },
  ];
  if (impact.estimate === undefined) return counts;
  return [
    ...counts,
    {
      title: "newly, of all",
      cell: ({ estimate, newlyQuarantined }) =>
        estimate === undefined ? count(newlyQuarantined) : between(estimate.newlyQuarantined),
      align: "right",
    },
  ];
}

function rulesOf({ refusals, releases }: SourceReplay, width: number): readonly string[] {
  return [
    ...refusals.slice(0, MOST_RULES).flatMap((rule) => ruleLines("would refuse", rule, width)),
    ...more(refusals.length),
    ...releases.slice(0, MOST_RULES).flatMap((rule) => ruleLines("would release", rule, width)),
    ...more(releases.length),
  ];
}

/** --json has them all. */
const MOST_RULES = 10;

function more(rules: number): readonly string[] {
  return rules > MOST_RULES ? [`  and ${plural(rules - MOST_RULES, "rule")} more (--json lists them)`] : [];
}

function ruleLines(verb: string, { rule, records, examples }: RuleImpact, width: number): readonly string[] {
  return [
    `  ${verb.padEnd(14)}${count(records).padStart(9)}  ${oneLine(rule, width - 28)}`,
    ...examples.flatMap((example) => exampleLines(example, width)),
  ];
}

function exampleLines(
  { identifier, sentence, xpath, line }: ImpactExample,
  width: number,
): readonly string[] {
  const at = [line === undefined ? undefined : `line ${String(line)}`, xpath].filter(
    (part) => part !== undefined,
  );
  const lines = [oneLine(identifier, width - 6), oneLine(sentence, width - 8)];
  const place = at.length === 0 ? [] : [`        ${oneLine(at.join(", "), width - 8)}`];
  return [`      ${lines[0] ?? ""}`, `        ${lines[1] ?? ""}`, ...place];
}

/** How far a replay is. */
export function impactProgressLine(progress: ImpactProgress, elapsedSeconds: number): string {
  const { judged, total, newlyQuarantined, released } = progress;
  const rate = elapsedSeconds > 0.5 ? judged / elapsedSeconds : 0;
  const left = rate > 0 ? `   ETA ${duration((total - judged) / rate)}` : "";
  return `  ${count(judged)} of ${plural(total, "record")} judged   newly quarantined ${count(newlyQuarantined)}   released ${count(released)}${left}`;
}
