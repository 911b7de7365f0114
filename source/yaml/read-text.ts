import type { Finding } from "../finding.js";

/** Far beyond any real file: a manifest has about 1 kB. The worst text of this size takes seconds, not minutes. */
export const maxFileBytes = 1024 * 1024;

/** Bytes of a file → text without byte order mark, or the finding that says why it is no text. */
export function readText(
  input: string | Uint8Array,
  file: string,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly finding: Finding } {
  if (input.length > maxFileBytes)
    return refuse(
      "yaml/too-big",
      `The file has ${mebibytes(input.length)} MiB; more than 1 MiB is not read.`,
      {
        file,
        remedy: "Split it into several files, or name the file you meant.",
      },
    );
  if (typeof input === "string") return { ok: true, text: input.replace(/^\uFEFF/, "") };
  if ((input[0] === 0xff && input[1] === 0xfe) || (input[0] === 0xfe && input[1] === 0xff))
    return refuse("yaml/encoding", "The file is in UTF-16; manifests are read as UTF-8.", {
      file,
      remedy: "Save it as UTF-8.",
    });
  try {
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true }).decode(input) };
  } catch {
    return refuse("yaml/encoding", "The file is not UTF-8 text.", { file, remedy: "Save it as UTF-8." });
  }
}

function mebibytes(bytes: number): string {
  return (bytes / maxFileBytes).toFixed(1);
}

function refuse(
  rule: string,
  sentence: string,
  at: { readonly file: string; readonly remedy: string },
): { readonly ok: false; readonly finding: Finding } {
  const place = { file: at.file, line: 1, column: 1, length: 1 };
  return { ok: false, finding: { rule, severity: "error", place, sentence, remedy: at.remedy } };
}
