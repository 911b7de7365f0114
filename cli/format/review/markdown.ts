import { code, prose } from "./escape.js";
import { fit } from "./fit.js";
import { consequenceSection, findingSection, rowSection } from "./markdown-table.js";
import { fieldSection, liveSection, yamlSection } from "./markdown-details.js";
import type { ShownReview } from "./shown-review.js";
import type { TextPair } from "./yaml-diff.js";
import { verdict } from "./verdict.js";

/** What a report shows beside the review itself. */
export interface ReportContext {
  /** Manifests whose text differs, by path, sorted. */
  readonly texts: ReadonlyMap<string, TextPair>;
  /** The command that makes the same report. */
  readonly command: string;
  /** Of harvestctl. */
  readonly version: string;
}

/** The first line: whoever keeps one comment up to date finds it by this. */
export const reviewMarker = "<!-- harvestctl:diff -->";
/** GitHub takes 65,536 characters; what else stands in a comment needs room too. */
export const maxReportCharacters = 60_000;

const MAX_UNKNOWNS = 20;

/** A review as one comment of a pull request: GitHub-flavoured Markdown, the same bytes for the same review. */
export function reviewMarkdown(review: ShownReview, context: ReportContext): string {
  const opening = [reviewMarker, headline(review)].join("\n");
  const closing = [unknowns(review), footer(review, context)].filter((part) => part !== "").join("\n\n");
  const room = maxReportCharacters - opening.length - closing.length - 10;
  const parts = fit(
    [
      rowSection(review),
      consequenceSection(review),
      findingSection(review),
      liveSection(review),
      fieldSection(review),
      yamlSection(context.texts),
    ],
    room,
  );
  return `${[opening, ...parts, closing].join("\n\n")}\n`;
}

function headline(review: ShownReview): string {
  const { base, head, note } = review;
  const line = `**${prose(verdict(review))}** base ${code(base)} → head ${code(head)}`;
  return note === undefined ? line : `${line}\n\n${prose(note)}`;
}

function unknowns({ unknowns: all }: ReviewUnknowns): string {
  if (all.length === 0) return "";
  const shown = all.slice(0, MAX_UNKNOWNS).map((sentence) => `- ${prose(sentence, 400)}`);
  const more = all.length - shown.length;
  const rest = more > 0 ? [`- … and ${String(more)} more.`] : [];
  return ["### Not known", ...shown, ...rest].join("\n");
}

type ReviewUnknowns = Pick<ShownReview, "unknowns">;

function footer({ digest }: ShownReview, { command, version }: ReportContext): string {
  const facts = [
    `Reproduce: ${code(command, 400)}`,
    `harvestctl ${code(version)}`,
    `digest ${code(digest.slice(0, 16))}`,
    "ids: `docs/consequences.md`",
  ];
  return `<sub>${facts.join(" · ")}</sub>`;
}
