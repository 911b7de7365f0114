import type { Finding } from "./finding.js";
import type { Parsed } from "./located-source.js";
import { judgeKind } from "./schema/manifest-kind.js";
import { readManifest } from "./schema/read-manifest.js";
import { readPlainManifest } from "./schema/read-plain-manifest.js";
import { readDocuments, type YamlDocument } from "./yaml/documents.js";
import { readText } from "./yaml/read-text.js";

export interface ParseOptions {
  /** As findings shall name it. */
  readonly file: string;
  /** True: the file was named itself, so it must hold a HarvestSource. False: it was found in a folder, and others are skipped. */
  readonly named: boolean;
}

/** YAML text, one or many documents → manifests, and findings for what is none. Never throws because of the text. */
export function parseManifests(input: string | Uint8Array, options: ParseOptions): Parsed {
  const read = readText(input, options.file);
  if (!read.ok) return { sources: [], findings: [read.finding] };
  const plain = readPlainManifest(read.text, options.file);
  if (plain !== undefined) return { sources: [plain], findings: [] };
  const { documents, findings } = readDocuments(read.text, options.file);
  if (documents.length === 0 && findings.length === 0) return { sources: [], findings: [emptyFile(options)] };
  const each = documents.map((document) => parseDocument(document));
  const parsed = {
    sources: each.flatMap(({ sources }) => sources),
    findings: [...findings, ...each.flatMap((one) => one.findings)],
  };
  return options.named ? demandOne(parsed) : parsed;
}

function parseDocument(yaml: YamlDocument): Parsed {
  const judged = judgeKind(yaml);
  if (judged !== undefined) return { sources: [], findings: [judged] };
  return readManifest(yaml);
}

function emptyFile({ file, named }: ParseOptions): Finding {
  return {
    rule: "manifest/empty",
    severity: named ? "error" : "warning",
    place: { file, line: 1, column: 1, length: 1 },
    sentence: "The file is empty: it holds no manifest.",
    remedy: "Write one (docs/harvest-source.md begins with an example), or remove the file.",
  };
}

/** A file that was named and holds only other things is a mistake, not something to skip. */
function demandOne(parsed: Parsed): Parsed {
  const nothing =
    parsed.sources.length === 0 && parsed.findings.every(({ severity }) => severity !== "error");
  if (!nothing) return parsed;
  return { sources: [], findings: parsed.findings.map((finding) => ({ ...finding, severity: "error" })) };
}
