/** Content of `--records DIR`: one record a file, sub-folders are sets. Only headers stay in memory; bodies are read when asked for. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { BodyQuestion, Content, SetInfo } from "./content.js";
import type { Format } from "./format.js";
import { derivedDublinCore } from "./derived-dc.js";
import { payloadOf, readFacts, type FileFacts } from "./record-file.js";

/** More files than this are refused: a folder is for hand-made cases, `--generate` for many. */
const MAX_FILES = 100_000;

interface FileRecord {
  readonly path: string;
  readonly name: string;
  readonly stamp: number;
  readonly sets: readonly string[];
  readonly format: Format;
}

export interface FolderContent extends Content {
  /** Files that hold no record this sandbox can serve, each with the reason. */
  readonly skipped: readonly string[];
}

/** Throws a sentence when the folder cannot be read. */
export function folderContent(directory: string): FolderContent {
  const skipped: string[] = [];
  const records: FileRecord[] = [];
  const taken = new Set<string>();
  for (const path of xmlFiles(directory)) {
    const place = relative(directory, path).split(sep).join("/");
    const facts = readFacts(readFileSync(path));
    if (facts.format === undefined)
      skipped.push(`${place}: the root element is neither ISO 19139 nor oai_dc`);
    else records.push(recordOf({ path, place, facts, format: facts.format, taken }));
  }
  records.sort((a, b) => a.stamp - b.stamp || (a.name < b.name ? -1 : 1));
  return { ...contentOf(records), skipped };
}

function xmlFiles(directory: string): readonly string[] {
  const names = namesIn(directory);
  const files = names.filter((name) => name.endsWith(".xml")).map((name) => join(directory, name));
  if (files.length > MAX_FILES)
    throw new Error(
      `${directory} holds ${String(files.length)} XML files; the sandbox serves at most ${String(MAX_FILES)}.`,
    );
  return files.filter((path) => statSync(path).isFile()).sort();
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: "utf8" });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The folder of records ${directory} cannot be read: ${why}`, { cause: error });
  }
}

interface Found {
  readonly path: string;
  readonly place: string;
  readonly facts: FileFacts;
  readonly format: Format;
  /** Names used so far: a second file with the same identifier is served under its file name. */
  readonly taken: Set<string>;
}

function recordOf({ path, place, facts, format, taken }: Found): FileRecord {
  const fromPath = place.replace(/\.xml$/, "");
  const wanted = safe(facts.identifier ?? fromPath);
  const name = taken.has(wanted) ? safe(fromPath) : wanted;
  taken.add(name);
  const folders = place.split("/").slice(0, -1).map(safe);
  const changed = Math.floor(statSync(path).mtimeMs / 1000);
  return {
    path,
    name,
    format,
    stamp: facts.stamp ?? changed,
    sets: folders.length === 0 ? [] : [folders.join(":")],
  };
}

/** Characters OAI identifiers and setSpecs may hold (OAI-PMH §2.4, §2.6). */
function safe(text: string): string {
  return text.trim().replace(/[^A-Za-z0-9\-_.!~*'()/]+/g, "-");
}

function contentOf(records: readonly FileRecord[]): Content {
  const byName = new Map(records.map((record, index) => [record.name, index]));
  function at(index: number): FileRecord {
    const record = records[index];
    if (record === undefined) throw new Error(`There is no record number ${String(index)} in the folder.`);
    return record;
  }
  return {
    size: records.length,
    sets: setsOf(records),
    formats:
      records.length === 0 ? ["oai_dc", "iso19139"] : formatsOf(records.map((record) => record.format)),
    makesRecords: false,
    isUniform:
      records.every((record) => record.format === "oai_dc") ||
      records.every((record) => record.format === "iso19139"),
    localName: (index) => records[index]?.name ?? `added-${String(index)}`,
    indexOf: (name) => byName.get(name),
    stampOf: (index) => at(index).stamp,
    setsOf: (index) => records[index]?.sets ?? [],
    formatsOf: (index) => formatsOf([records[index]?.format ?? "oai_dc"]),
    isDeleted: () => false,
    faultOf: () => undefined,
    bodyOf: (index, question) => bodyOf(at(index), question),
  };
}

/** Every repository must offer oai_dc (OAI-PMH §3.4): an ISO record is also served as a short Dublin Core one. */
function formatsOf(formats: readonly Format[]): readonly Format[] {
  return formats.includes("iso19139") ? ["oai_dc", "iso19139"] : ["oai_dc"];
}

/** A change that hands in no body of its own puts the version before the title: other content, still valid. */
function bodyOf(record: FileRecord, question: BodyQuestion): Buffer {
  const payload = payloadOf(readFileSync(record.path));
  const body = question.format === record.format ? payload : derivedDublinCore(payload, record.name);
  if (question.version === 0) return body;
  const text = body.toString("utf8");
  const title = /(<(?:dc:title)\b[^>]*>|<gmd:title\b[^>]*>\s*<gco:CharacterString\b[^>]*>)/;
  return Buffer.from(text.replace(title, `$1[${String(question.version)}] `));
}

function setsOf(records: readonly FileRecord[]): readonly SetInfo[] {
  const specs = new Set<string>();
  for (const spec of records.flatMap((record) => record.sets)) {
    const parts = spec.split(":");
    parts.forEach((_, n) => specs.add(parts.slice(0, n + 1).join(":")));
  }
  return [...specs].sort().map((spec) => ({ spec, name: spec.replaceAll(":", " / ") }));
}
