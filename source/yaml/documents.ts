import { Composer, Parser, type CST, type Document, type ParsedNode } from "yaml";
import type { Finding } from "../finding.js";
import { duplicateKeys } from "./duplicate-keys.js";
import { nesting } from "./nesting.js";
import { syntaxFinding } from "./syntax-finding.js";
import { TextMap } from "./text-map.js";

/** A manifest nests four deep. */
const MAX_DEPTH = 64;
const MAX_DOCUMENTS = 2000;
/** Aliases may multiply nodes; a manifest needs a handful. */
const MAX_ALIASES = 100;
/** One slip of the keyboard can make a parser complain on every line that follows. */
const MAX_SYNTAX_FINDINGS = 3;

/** One YAML document that could be read. */
export interface YamlDocument {
  readonly document: Document.Parsed;
  /** The document as plain values, aliases and merge keys resolved. */
  readonly value: unknown;
  readonly map: TextMap;
}

export interface ReadDocuments {
  readonly documents: readonly YamlDocument[];
  readonly findings: readonly Finding[];
}

/** Text → documents that could be read, and findings for those that could not. Empty documents are left out. */
export function readDocuments(text: string, file: string): ReadDocuments {
  const map = new TextMap(file, text);
  const tokens = [...new Parser(map.counter.addNewLine).parse(text)];
  const tooMuch = bounds(tokens, map);
  if (tooMuch !== undefined) return { documents: [], findings: [tooMuch] };
  // Duplicate keys are searched below in linear time; the library compares every key with every other.
  const composer = new Composer({
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: map.counter,
  });
  const documents: YamlDocument[] = [];
  const findings: Finding[] = [];
  for (const document of composer.compose(tokens, true, text.length)) {
    const read = readDocument(document, map);
    findings.push(...read.findings);
    if (read.document !== undefined) documents.push(read.document);
  }
  return { documents, findings };
}

function bounds(tokens: readonly CST.Token[], map: TextMap): Finding | undefined {
  const documents = tokens.filter((token) => token.type === "document");
  if (documents.length > MAX_DOCUMENTS)
    return tooMuch(map, "yaml/too-big", `The file has more than ${String(MAX_DOCUMENTS)} YAML documents.`);
  if (documents.some((document) => nesting(document) > MAX_DEPTH))
    return tooMuch(map, "yaml/too-deep", `The YAML is nested deeper than ${String(MAX_DEPTH)} levels.`);
  return undefined;
}

function tooMuch(map: TextMap, rule: string, sentence: string): Finding {
  const remedy = "A manifest has one document and nests four levels deep: is this the right file?";
  return { rule, severity: "error", place: map.start(), sentence, remedy };
}

function readDocument(
  document: Document.Parsed,
  map: TextMap,
): { readonly document?: YamlDocument; readonly findings: readonly Finding[] } {
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) {
    const findings = problems.slice(0, MAX_SYNTAX_FINDINGS).map((problem) => syntaxFinding(problem, map));
    return { findings: oneALine(findings) };
  }
  if (isEmpty(document.contents)) return { findings: [] };
  const duplicates = duplicateKeys(document.contents, map);
  if (duplicates.length > 0) return { findings: duplicates };
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { document: { document, value, map }, findings: [] };
  } catch (error) {
    return { findings: [aliasFinding(error, document, map)] };
  }
}

/** What follows on the same line is nearly always the echo of the first complaint. */
function oneALine(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    (each, i) => findings.findIndex((other) => other.place.line === each.place.line) === i,
  );
}

function isEmpty(contents: ParsedNode | null): boolean {
  return contents === null || ("value" in contents && contents.value === null);
}

/** toJS throws for aliases that lead nowhere, to themselves, or to too much. */
function aliasFinding(error: unknown, document: Document.Parsed, map: TextMap): Finding {
  const message = error instanceof Error ? error.message : String(error);
  const name = /^Unresolved alias[^:]*: (.*)$/s.exec(message)?.[1];
  const [start] = document.range;
  if (name !== undefined) {
    const at = map.text.indexOf(`*${name}`, start);
    return {
      rule: "yaml/alias",
      severity: "error",
      place: map.place(at === -1 ? start : at, at === -1 ? start + 1 : at + name.length + 1),
      sentence: `The alias *${name} has no anchor &${name} before it.`,
      remedy: "A text that begins with * must stand in quotes.",
    };
  }
  return {
    rule: "yaml/alias",
    severity: "error",
    place: map.place(start, start + 1),
    sentence: "The anchors and aliases of this document multiply without end, so it was not read.",
    remedy: "Write the values out: a manifest needs no more than a few aliases.",
  };
}
