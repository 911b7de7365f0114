import type { Finding } from "../../source/finding.js";
import type { LocatedSource, Parsed } from "../../source/located-source.js";
import { parseManifests } from "../../source/parse.js";
import { maxFileBytes } from "../../source/yaml/read-text.js";
import { manifestPaths, type PolicyPaths } from "./pick-files.js";
import { digestOf, remember, type Reuse } from "./reuse.js";
import type { Side } from "./side.js";

export interface ReadManifests {
  readonly sources: readonly LocatedSource[];
  readonly findings: readonly Finding[];
  /** By the path findings use. */
  readonly texts: ReadonlyMap<string, string>;
}

/** What a HarvestSource cannot do without, even one whose kind is misspelt. */
const LOOKS_LIKE_ONE = /ingest\.geoportal\.io|HarvestSource/;
/** What is said of files that lie around, and is no news where nobody named them. */
const ONLY_WHERE_NAMED = new Set(["manifest/other-kind", "manifest/empty"]);

/** Parses the manifests of a side; a file that is the same on the other side is parsed once. Throws Fault `config`. */
export async function readManifests(side: Side, paths: PolicyPaths, reuse: Reuse): Promise<ReadManifests> {
  const picked = manifestPaths(side, paths);
  const contents = await side.read([...picked.keys()], maxFileBytes);
  const parsed: Parsed[] = [];
  const texts = new Map<string, string>();
  for (const [file, named] of picked) {
    const bytes = contents.get(file);
    if (bytes === undefined) continue;
    const tooBig = bytes.length > maxFileBytes;
    const text = tooBig ? "" : new TextDecoder().decode(bytes);
    if (paths.byDefault && !tooBig && !LOOKS_LIKE_ONE.test(text)) continue;
    const key = `${String(named)} ${file} ${tooBig ? String(bytes.length) : digestOf(bytes)}`;
    const one = remember(reuse.parsed, key, () => parseManifests(bytes, { file, named }));
    parsed.push(paths.byDefault ? lenient(one, tooBig) : one);
    texts.set(file, text);
  }
  return {
    sources: parsed.flatMap(({ sources }) => sources),
    findings: parsed.flatMap(({ findings }) => findings),
    texts,
  };
}

/** A file too big to be looked into may be anything: it is told, and stops nobody. */
function lenient({ sources, findings }: Parsed, tooBig: boolean): Parsed {
  const kept = findings.filter(({ rule }) => !ONLY_WHERE_NAMED.has(rule));
  return { sources, findings: tooBig ? kept.map((each) => ({ ...each, severity: "warning" })) : kept };
}
