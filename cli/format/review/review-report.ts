import type { Theme } from "../colour.js";
import { githubAnnotations } from "../github-annotations.js";
import { sarifText } from "../sarif/sarif-log.js";
import { reviewMarkdown, type ReportContext } from "./markdown.js";
import { redacted } from "./redacted.js";
import { reviewFindings, reviewRules } from "./review-findings.js";
import type { ShownReview } from "./shown-review.js";
import { reviewText } from "./text.js";
import { verdict } from "./verdict.js";

export const reviewFormats = ["md", "text", "json", "sarif", "github"] as const;
export type ReviewFormat = (typeof reviewFormats)[number];

export interface ReportPage extends ReportContext {
  readonly theme: Theme;
  /** Columns. */
  readonly width: number;
  /** Texts of the head, and of the base for what is gone, by path. */
  readonly files: ReadonlyMap<string, string>;
}

type Writer = (review: ShownReview, page: ReportPage) => string;

const writers: Readonly<Record<ReviewFormat, Writer>> = {
  md: reviewMarkdown,
  text: (review, page) => `${reviewText(review, page)}\n`,
  json: (review) => `${JSON.stringify(review, null, 2)}\n`,
  sarif: (review, { version, files }) => {
    const findings = reviewFindings(review);
    // Only those that are told: a log of one finding would carry a hundred explanations else.
    const told = new Set(findings.map(({ rule }) => rule));
    return sarifText({
      version,
      category: "diff",
      rules: reviewRules().filter(({ id }) => told.has(id)),
      findings,
      texts: new Map([...files].map(([file, text]) => [file, redacted(text)])),
    });
  },
  github: (review) =>
    [githubAnnotations(reviewFindings(review), { rest: "the report of harvestctl diff" }), verdict(review)]
      .filter((part) => part !== "")
      .join("\n") + "\n",
};

/** A review in one of its formats, with a line end at its end; the same bytes for the same review. */
export function reviewReport(review: ShownReview, format: ReviewFormat, page: ReportPage): string {
  return writers[format](review, page);
}
