import type { ReportPage } from "../format/review/review-report.js";
import { differingTexts } from "./report-texts.js";
import type { Reviewed } from "./run-review.js";

/** What a report shows beside the review: the texts of both sides. */
export function reviewPage(
  { base, head }: Pick<Reviewed, "base" | "head">,
  page: Omit<ReportPage, "texts" | "files">,
): ReportPage {
  return {
    ...page,
    texts: differingTexts({ base, head }),
    files: new Map([...base.texts, ...head.texts]),
  };
}
