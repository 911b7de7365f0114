import type { Place } from "../finding.js";

/**
 * Names the document a place stands in, equal for places of one document. A line that begins with --- parts documents
 * wherever it stands, even within a text (YAML 1.2.2 §9.1.2), so that no parser is needed.
 */
export class DocumentNames {
  private readonly starts = new Map<string, readonly number[]>();
  private readonly texts: ReadonlyMap<string, string>;

  constructor(texts: ReadonlyMap<string, string>) {
    this.texts = texts;
  }

  nameOf({ file, line }: Place): string {
    const starts = this.starts.get(file) ?? separators(this.texts.get(file) ?? "");
    this.starts.set(file, starts);
    return `${String(countUpTo(starts, line))} ${file}`;
  }
}

/** Lines, counted from 1, that part documents. */
function separators(text: string): readonly number[] {
  const lines = text.split("\n");
  return lines.flatMap((line, i) => (line.startsWith("---") ? [i + 1] : []));
}

/** How many of these ascending numbers are at most this one. */
function countUpTo(ascending: readonly number[], most: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
