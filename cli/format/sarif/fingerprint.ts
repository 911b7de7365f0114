import { createHash } from "node:crypto";
import type { Finding } from "../../../source/finding.js";
import { SourceLines } from "./source-lines.js";

/**
 * A name for each finding that stays when lines move: SHA-256 over rule, document, the fields above the line and the
 * line itself, then ":" and a count, because the same may be found twice. In the order of the findings. The sentence is
 * not part of it: it holds figures and places of other files. Texts are by file, as findings name it; a file that is
 * not among them counts as empty.
 */
export function fingerprints(
  findings: readonly Finding[],
  texts: ReadonlyMap<string, string>,
): readonly string[] {
  const files = new Map<string, SourceLines>();
  const seen = new Map<string, number>();
  return findings.map(({ rule, place }) => {
    const lines = files.get(place.file) ?? new SourceLines(texts.get(place.file) ?? "");
    files.set(place.file, lines);
    const hash = digest([rule, ...lines.context(place.line)]);
    const key = `${place.file}\n${hash}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return `${hash}:${String(count)}`;
  });
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
