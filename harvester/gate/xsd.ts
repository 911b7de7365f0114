/** Gate 1b: XSD. Several schemas may stand side by side; each record goes to the one made for its namespaces. */
import { type Violation } from "../record.js";
import { localName, namespaceUri } from "../xml/node.js";
import { type ParsedDocument } from "../xml/parse.js";
import { type XmlProblem } from "../xml/problem.js";
import { compileSchema, type Schema } from "../xml/schema.js";
import { schemaNamespaces, type SchemaNamespaces } from "./schema-namespaces.js";
import { schemaRouter } from "./schema-router.js";
import { wordXsd } from "./xsd-words.js";

export interface XsdGate {
  /** Empty = valid. */
  check(document: ParsedDocument, limit: number): readonly Violation[];
  dispose(): void;
}

/** A schema that cannot be compiled; the message names file and line. */
export class SchemaRefused extends Error {
  readonly file: string;
  readonly line: number;

  constructor(entry: string, problem: XmlProblem | undefined) {
    const file = problem?.file ?? entry;
    const line = problem?.line ?? 0;
    super(`${file}:${String(line)}: The schema cannot be compiled: ${problem?.message ?? "no reason given"}`);
    this.name = "SchemaRefused";
    this.file = file;
    this.line = line;
  }
}

interface Entry {
  readonly path: string;
  readonly schema: Schema;
  readonly namespaces: SchemaNamespaces;
}

/** Throws SchemaRefused. Without entries every record passes. */
export function compileXsdGate(entries: readonly string[], files: ReadonlyMap<string, Uint8Array>): XsdGate {
  const compiled = entries.map((path) => compileEntry(path, files));
  const router = schemaRouter(compiled.map((entry) => entry.namespaces));
  return {
    check: (document, limit) => {
      if (compiled.length === 0) return [];
      const entry = compiled[router.route(document) ?? -1];
      if (entry === undefined) return [noSchema(document)];
      return violations(entry.schema.validate(document, limit));
    },
    dispose: () => {
      router.dispose();
      for (const entry of compiled) entry.schema.dispose();
    },
  };
}

function compileEntry(path: string, files: ReadonlyMap<string, Uint8Array>): Entry {
  const result = compileSchema(files, path);
  if (result.kind === "broken") throw new SchemaRefused(path, result.problems[0]);
  return { path, schema: result.schema, namespaces: schemaNamespaces(path, files) };
}

function noSchema(document: ParsedDocument): Violation {
  const namespace = namespaceUri(document.root);
  const where = namespace === "" ? "without a namespace" : `in the namespace ${namespace.slice(0, 200)}`;
  return {
    gate: "xsd",
    rule: "no-schema",
    severity: "error",
    message: `None of the source's schemas knows the element ${localName(document.root)} ${where}.`,
    xpath: "/*",
  };
}

/** One violation per place and rule: the engine reports a facet and then its type for the same value. */
function violations(problems: readonly XmlProblem[]): readonly Violation[] {
  const found = new Map<string, Violation>();
  for (const { message, xpath, line } of problems) {
    const worded = wordXsd(message);
    const key = `${worded.rule} ${xpath ?? ""} ${String(line)}`;
    if (found.has(key)) continue;
    found.set(key, {
      gate: "xsd",
      rule: worded.rule,
      severity: "error",
      message: worded.message,
      ...(xpath !== undefined && { xpath }),
      ...(line !== undefined && { line }),
    });
  }
  return [...found.values()];
}
