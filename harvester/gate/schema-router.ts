/**
 * Chooses the schema for a record. By the namespace of its root element; where several schemas are for that (the two
 * generations of ISO 19139 differ in the GML they import), by the other namespaces the record uses.
 */
import { namespaceUri } from "../xml/node.js";
import { type ParsedDocument } from "../xml/parse.js";
import { compileXPath, xpathContext, type CompiledXPath } from "../xml/xpath.js";
import { type SchemaNamespaces } from "./schema-namespaces.js";

export interface SchemaRouter {
  /** Index of the schema; undefined when none knows the root's namespace. */
  route(document: ParsedDocument): number | undefined;
  dispose(): void;
}

const NO_PREFIXES: ReadonlyMap<string, string> = new Map();

export function schemaRouter(schemas: readonly SchemaNamespaces[]): SchemaRouter {
  const questions = new Map<string, CompiledXPath>();
  function uses(document: ParsedDocument, namespace: string): boolean {
    const question =
      questions.get(namespace) ?? compileXPath(`boolean(//*[namespace-uri() = ${quoted(namespace)}])`);
    questions.set(namespace, question);
    const context = xpathContext(document, NO_PREFIXES);
    try {
      return context.evaluate(question, document.node) === true;
    } finally {
      context.dispose();
    }
  }
  return {
    route: (document) => {
      const candidates = candidatesFor(namespaceUri(document.root), schemas);
      if (candidates.length < 2) return candidates[0];
      const telling = tellingNamespaces(candidates, schemas).filter((namespace) => uses(document, namespace));
      return fewestUnknown(candidates, schemas, telling);
    },
    dispose: () => {
      for (const question of questions.values()) question.dispose();
    },
  };
}

/** Schemas made for the namespace; failing that, schemas that have it somewhere. */
function candidatesFor(namespace: string, schemas: readonly SchemaNamespaces[]): readonly number[] {
  const own = indexes(schemas, (schema) => schema.own.has(namespace));
  return own.length > 0 ? own : indexes(schemas, (schema) => schema.all.has(namespace));
}

function indexes(
  schemas: readonly SchemaNamespaces[],
  test: (schema: SchemaNamespaces) => boolean,
): readonly number[] {
  return schemas.flatMap((schema, index) => (test(schema) ? [index] : []));
}

/** Namespaces that some of the candidates know and others do not. */
function tellingNamespaces(
  candidates: readonly number[],
  schemas: readonly SchemaNamespaces[],
): readonly string[] {
  const known = new Set(candidates.flatMap((index) => [...(schemas[index]?.all ?? [])]));
  return [...known].filter((namespace) =>
    candidates.some((index) => schemas[index]?.all.has(namespace) === false),
  );
}

/** The first in the order of the policy wins a tie. */
function fewestUnknown(
  candidates: readonly number[],
  schemas: readonly SchemaNamespaces[],
  used: readonly string[],
): number | undefined {
  const counted = candidates.map((index) => ({
    index,
    unknown: used.filter((namespace) => schemas[index]?.all.has(namespace) === false).length,
  }));
  return counted.sort((a, b) => a.unknown - b.unknown)[0]?.index;
}

function quoted(namespace: string): string {
  return namespace.includes('"') ? `'${namespace}'` : `"${namespace}"`;
}
