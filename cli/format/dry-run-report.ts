import type { RunSummary } from "../../harvester/report/summary.js";
import { closing, triedNotes, triedTable, type DryRunReport } from "./dry-run.js";
import type { Theme } from "./colour.js";
import { paragraph } from "./paragraph.js";
import { summaryText } from "./summary.js";

export interface WholeReport extends DryRunReport {
  readonly runs: readonly RunSummary[];
  readonly storeTrouble?: string | undefined;
  readonly recorded?: string | undefined;
}

/** Everything a dry run prints; one source is told in full. */
export function dryRunText(report: WholeReport, look: { theme: Theme; width: number }): string {
  const { all, runs, storeTrouble, recorded } = report;
  const [only] = runs;
  const notes = triedNotes(report, look);
  const parts = [
    ...(runs.length === 1 && only !== undefined
      ? [summaryText(only, { theme: look.theme, stored: false })]
      : []),
    triedTable(all, look.width),
    ...(notes === "" ? [] : [notes]),
    ...(storeTrouble === undefined ? [] : [`Not compared with the store: ${storeTrouble}`]),
    ...(recorded === undefined ? [] : [`Recorded to ${recorded}.`]),
    paragraph("", closing(report), look.width),
  ];
  return parts.join("\n\n");
}
