import type { Finding, Severity } from "../../../source/finding.js";
import type { Theme } from "../colour.js";
import { paragraph } from "../paragraph.js";
import { table } from "../table.js";
import { oneLine } from "../words.js";
import { firstRun, inFlight, readAgain, requestsPerDay } from "./cells.js";
import { visible } from "./escape.js";
import { fieldLine } from "./field-words.js";
import { reviewFindings } from "./review-findings.js";
import type { ShownChange, ShownLive, ShownReview } from "./shown-review.js";
import { verdict } from "./verdict.js";

export interface TextContext {
  readonly theme: Theme;
  /** Columns. */
  readonly width: number;
}

const INDENT = "  ";

/** A review for a terminal. */
export function reviewText(review: ShownReview, { theme, width }: TextContext): string {
  const { base, head, note, unknowns } = review;
  const parts = [
    `${theme.strong(verdict(review))}  base ${visible(base)} → head ${visible(head)}`,
    note === undefined ? "" : paragraph("", visible(note), width),
    rowsText(review, width),
    reviewFindings(review)
      .map((finding) => findingText(finding, { theme, width }))
      .join("\n"),
    (review.live ?? []).map((facts) => liveText(facts, width)).join("\n"),
    changesText(review, width),
    unknowns.map((sentence) => paragraph("unknown  ", visible(sentence), width)).join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function rowsText({ rows }: ShownReview, width: number): string {
  if (rows.length === 0) return "";
  return table(
    rows,
    [
      { title: "source", cell: ({ key }) => visible(key), shrinks: true },
      { title: "what changes", cell: ({ what }) => visible(what.join(", ")), shrinks: true },
      { title: "in flight", cell: inFlight },
      { title: "per day", cell: requestsPerDay },
      { title: "first run", cell: firstRun, shrinks: true },
      { title: "read again", cell: readAgain, shrinks: true },
    ],
    width,
  );
}

function findingText(finding: Finding, { theme, width }: TextContext): string {
  const { rule, severity, place, sentence, remedy } = finding;
  const at = oneLine(`${place.file}:${String(place.line)}`, 200);
  const head = `${painted(severity, theme)}  ${rule}  ${theme.dim(visible(at))}`;
  const words = [sentence, ...(remedy === undefined ? [] : [remedy])];
  return [head, ...words.map((text) => paragraph(INDENT, visible(text), width))].join("\n");
}

function painted(severity: Severity, theme: Theme): string {
  const paint = { error: theme.bad, warning: theme.warn, info: theme.dim }[severity];
  return paint(severity === "info" ? "note" : severity);
}

function changesText({ changes, noEffect }: ShownReview, width: number): string {
  const told = changes.filter(({ fields, kind }) => fields.length > 0 || kind === "renamed");
  const quiet =
    noEffect.length === 0
      ? []
      : [paragraph("", `No effective change: ${visible(noEffect.join(", "))}`, width)];
  return [...told.map((change) => changeText(change, width)), ...quiet].join("\n");
}

function changeText({ key, file, renamedFrom, movedFrom, fields }: ShownChange, width: number): string {
  const marks = [
    renamedFrom === undefined ? [] : [`was ${renamedFrom}`],
    movedFrom === undefined ? [] : [`was in ${movedFrom}`],
  ].flat();
  const head = `${visible(key)}  ${visible(file)}${marks.length === 0 ? "" : ` (${visible(marks.join(", "))})`}`;
  return [head, ...fields.map((field) => paragraph(INDENT, fieldLine(field, visible), width))].join("\n");
}

function liveText({ source, drift, dryRun }: ShownLive, width: number): string {
  const accepted = dryRun?.accepted === true ? "would accept the head" : "would refuse the head";
  const head = `${visible(source)}  the cluster ${dryRun === undefined ? "was not asked" : accepted}`;
  const edits = drift.map(({ field, base, live, manager, time }) => {
    const words = fieldLine(
      { field, before: base, after: live, beforeIsDefault: false, afterIsDefault: false },
      visible,
    );
    const who = manager === undefined ? "" : ` by ${manager}`;
    return `differs already: ${words}${visible(who)}${time === undefined ? "" : ` at ${visible(time)}`}`;
  });
  const lines = [...edits, ...(dryRun?.messages ?? []).map(visible)];
  return [head, ...lines.map((line) => paragraph(INDENT, line, width))].join("\n");
}
