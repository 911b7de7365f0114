import { structuredPatch } from "diff";
import { redacted } from "./redacted.js";
import { visibleLines } from "./escape.js";

/** More differences than this are no change to a file but another file. */
const MAX_EDITS = 2000;
const CONTEXT = 3;

export interface TextPair {
  /** undefined = there is no such file on that side. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Unified lines of what differs (`@@`, ` `, `+`, `-`), without secrets and with hidden characters shown; [] = nothing does. */
export function yamlDiff({ before, after }: TextPair): readonly string[] {
  const patch = structuredPatch("", "", text(before), text(after), "", "", {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  });
  if (patch === undefined) return ["(the two texts have too little in common to show their difference)"];
  if (patch.hunks.length === 0)
    return before === after ? [] : ["(only what is not shown differs: line ends, or a secret)"];
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines,
  ]);
}

/** Of no lines, the line they would follow (POSIX diff -u). */
function range(start: number, lines: number): string {
  return `${String(lines === 0 ? start - 1 : start)},${String(lines)}`;
}

/** Before they are compared: a secret that was replaced is no difference to show. */
function text(side: string | undefined): string {
  return visibleLines(redacted(side ?? ""));
}
