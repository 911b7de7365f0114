import type { Finding } from "../../source/finding.js";
import type { TreeEntry } from "./tree.js";

export interface JudgedTree {
  /** Manifests to be read, in the order of the tree. */
  readonly files: readonly { readonly path: string; readonly object: string }[];
  readonly findings: readonly Finding[];
}

/** More files, or bytes, than any folder of manifests has. */
export const MAX_FILES = 5_000;
export const MAX_FILE_BYTES = 1024 * 1024;
export const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** What follows helps nobody. */
const MAX_FINDINGS = 25;

/**
 * Which entries of the folder are manifests: regular files whose name ends with .yaml, .yml or .json. Links and submodules
 * are refused wherever they stand, because what they lead to is not what was reviewed.
 */
export function judgeTree(entries: readonly TreeEntry[]): JudgedTree {
  const files: { path: string; object: string; bytes: number }[] = [];
  const findings: Finding[] = [];
  for (const entry of entries) {
    const problem = problemOf(entry);
    if (problem !== undefined) findings.push(problem);
    else if (isManifest(entry)) files.push({ path: entry.path, object: entry.object, bytes: entry.bytes });
  }
  const tooMuch = sizeProblem(files);
  return {
    files,
    findings: (tooMuch === undefined ? findings : [tooMuch, ...findings]).slice(0, MAX_FINDINGS),
  };
}

function isManifest(entry: TreeEntry): entry is TreeEntry & { readonly path: string } {
  const name = entry.path?.split("/").pop() ?? "";
  if (/^kustomization\.ya?ml$/i.test(name)) return false;
  return /\.(ya?ml|json)$/i.test(name);
}

function problemOf({ mode, path, bytes }: TreeEntry): Finding | undefined {
  const file = shown(path);
  if (mode === "120000")
    return refusal(
      "git/link",
      file,
      "A symbolic link; only regular files are read. Put the manifest itself here.",
    );
  if (mode === "160000")
    return refusal("git/submodule", file, "A submodule; only files of this repository are read.");
  if (path === undefined || /\p{Cc}/u.test(path))
    return refusal(
      "git/name",
      file,
      "The name is no plain text (control characters, or no UTF-8). Rename the file.",
    );
  if (bytes > MAX_FILE_BYTES && /\.(ya?ml|json)$/i.test(path))
    return refusal(
      "git/too-big",
      file,
      "The file has more than 1 MiB: it is no manifest. Move it elsewhere.",
    );
  return undefined;
}

function sizeProblem(files: readonly { readonly bytes: number }[]): Finding | undefined {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (files.length <= MAX_FILES && total <= MAX_TOTAL_BYTES) return undefined;
  return refusal(
    "git/too-many",
    ".",
    `The folder holds ${String(files.length)} files with ${String(total)} bytes; at most ${String(MAX_FILES)} files with ${String(MAX_TOTAL_BYTES)} bytes are read. Name the folder with the manifests.`,
  );
}

/** A hostile name must not draw on the terminal of whoever reads the message. */
function shown(path: string | undefined): string {
  return (path ?? "(no UTF-8)").replaceAll(/\p{Cc}/gu, "?").slice(0, 256);
}

function refusal(rule: string, file: string, sentence: string): Finding {
  return { rule, severity: "error", place: { file, line: 1, column: 1, length: 1 }, sentence };
}
