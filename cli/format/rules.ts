import type { CatalogueRule } from "../../source/lint/rule-catalogue.js";
import type { CatalogueEntry } from "../../source/review/catalogue/entry.js";
import type { ListedRule } from "../lint/known-rules.js";
import type { Theme } from "./colour.js";
import { paragraph } from "./paragraph.js";
import { table } from "./table.js";

/** Rules as a table, a row each. */
export function rulesText(rules: readonly ListedRule[], width: number): string {
  return table(
    rules,
    [
      { title: "rule", cell: ({ id }) => id },
      { title: "severity", cell: ({ severity }) => severity },
      {
        title: "fix",
        cell: ({ fixable }) => ({ true: "yes", some: "some", false: "" })[String(fixable)] ?? "",
      },
      { title: "ignore", cell: ({ suppressible }) => (suppressible ? "yes" : "") },
      { title: "what is wrong", cell: ({ title }) => title, shrinks: true },
    ],
    width,
  );
}

export interface Page {
  readonly theme: Theme;
  readonly width: number;
}

/** One rule of lint: what, why, wrong and right, what to do. */
export function ruleText(rule: CatalogueRule, { theme, width }: Page): string {
  const sections = [
    `${theme.strong(rule.id)}  ${rule.severity}\n${paragraph("  ", capital(rule.title), width)}`,
    paragraph("  Why    ", rule.explanation, width),
    ...example("  Wrong  ", rule.wrong),
    ...example("  Right  ", rule.right),
    paragraph("  To do  ", rule.fix, width),
    paragraph("  --fix  ", FIXES[String(rule.fixable)] ?? "", width),
    paragraph("  Ignore ", rule.suppressible ? ignoreHint(rule.id) : NOT_IGNORED, width),
  ];
  return sections.join("\n\n");
}

/** One consequence that a review tells. */
export function consequenceText(entry: CatalogueEntry, { theme, width }: Page): string {
  return [
    `${theme.strong(entry.id)}  ${entry.severities.join(" or ")}\n${paragraph("  ", `${entry.title}.`, width)}`,
    paragraph("  Told   ", entry.told, width),
    paragraph("  Means  ", entry.means, width),
    paragraph("  To do  ", entry.todo, width),
  ].join("\n\n");
}

const FIXES: Readonly<Record<string, string>> = {
  true: "harvestctl lint --fix mends it.",
  some: "harvestctl lint --fix mends it where only one thing can be meant.",
  false: "A person has to mend it.",
};

const NOT_IGNORED =
  "It cannot be held back: it would come back at the API server, in a run, or in another file.";

function ignoreHint(id: string): string {
  return `With a reason and an end date, in the manifest's annotation ingest.geoportal.io/lint-ignore: ${id} until YYYY-MM-DD: reason`;
}

function example(head: string, lines: string | undefined): readonly string[] {
  if (lines === undefined) return [];
  const indent = " ".repeat(head.length);
  return [head + lines.split("\n").join(`\n${indent}`)];
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
