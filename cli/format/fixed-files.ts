import type { FixedFile } from "../lint/fix-files.js";
import type { Theme } from "./colour.js";
import { yamlDiff } from "./review/yaml-diff.js";
import { oneLine, plural } from "./words.js";

/** What was mended, a line each, or what would be, as a unified diff. */
export function fixesText(files: readonly FixedFile[], preview: boolean, theme: Theme): string {
  return preview ? previewText(files, theme) : mendedText(files);
}

function mendedText(files: readonly FixedFile[]): string {
  if (files.length === 0) return "There was nothing that --fix could mend.\n";
  const lines = files.flatMap(({ path, mended }) =>
    mended.map(({ rule, place }) => `mended  ${oneLine(path, 300)}:${String(place.line)}  ${rule}`),
  );
  return `${lines.join("\n")}\n`;
}

function previewText(files: readonly FixedFile[], theme: Theme): string {
  if (files.length === 0) return "There is nothing that --fix would mend.\n";
  const findings = files.reduce((sum, { mended }) => sum + mended.length, 0);
  return [
    ...files.flatMap((file) => [
      theme.strong(`--- ${oneLine(file.path, 300)}`),
      theme.strong(`+++ ${oneLine(file.path, 300)}`),
      ...yamlDiff(file).map((line) => painted(line, theme)),
    ]),
    "",
    `--fix would mend ${plural(findings, "finding")} in ${plural(files.length, "file")}. Nothing was written.\n`,
  ].join("\n");
}

function painted(line: string, theme: Theme): string {
  if (line.startsWith("+")) return theme.good(line);
  return line.startsWith("-") ? theme.bad(line) : line;
}
