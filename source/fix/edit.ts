/** These characters of a text become others; the rest stays byte for byte. Offsets in UTF-16 units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits; of two that overlap the one that begins first counts. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let done = 0;
  let result = "";
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < done) continue;
    result += text.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  return result + text.slice(done);
}
