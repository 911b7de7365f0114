import type { ReportPage } from "../format/review/review-report.js";
import { differingTexts } from "./report-texts.js";
import type { Reviewed } from "./run-review.js";

/** What a report shows beside the review: the texts of both sides. */
export function reviewPage(
  { base, head, review }: Pick<Reviewed, "base" | "head" | "review">,
  page: Omit<ReportPage, "texts" | "files">,
): ReportPage {
  return {
    ...page,
    texts: differingTexts({ base, head, review }),
    files: new Map([...base.texts, ...head.texts]),
  };
}
