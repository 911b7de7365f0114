import { oneLine } from "./words.js";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly align?: "left" | "right";
  /** Cells of this column are cut first when the table is wider than the terminal. */
  readonly shrinks?: boolean;
}

const GAP = "  ";

/** A plain table that fits the width: aligned columns, headings in capitals, no lines drawn. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width: number): string {
  const cells = rows.map((row) => columns.map((column) => oneLine(column.cell(row))));
  const natural = columns.map((column, i) =>
    Math.max(column.title.length, ...cells.map((line) => length(line[i]))),
  );
  const widths = fit(natural, columns, width);
  const lines = [columns.map((c) => c.title.toUpperCase()), ...cells];
  return lines
    .map((line) =>
      line
        .map((cell, i) => pad(cell, widths[i] ?? 0, columns[i]?.align))
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

function fit(natural: readonly number[], columns: readonly { shrinks?: boolean }[], width: number): number[] {
  const widths = [...natural];
  for (const [i, column] of columns.entries()) {
    const over = totalOf(widths) - width;
    if (over > 0 && column.shrinks) widths[i] = Math.max(8, (widths[i] ?? 0) - over);
  }
  return widths;
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, w) => sum + w, 0) + GAP.length * (widths.length - 1);
}

function pad(cell: string, width: number, align: "left" | "right" = "left"): string {
  const cut =
    length(cell) > width
      ? `${Array.from(cell)
          .slice(0, Math.max(1, width - 1))
          .join("")}…`
      : cell;
  const blanks = " ".repeat(Math.max(0, width - length(cut)));
  return align === "right" ? blanks + cut : cut + blanks;
}

function length(cell: string | undefined): number {
  return Array.from(cell ?? "").length;
}
