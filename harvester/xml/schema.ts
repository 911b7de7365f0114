/** XSD 1.0: a schema set compiled once from files in memory, then asked about any number of documents. */
import { type XmlDocument, XmlLibError, XsdValidator } from "libxml2-wasm";
import {
  XmlErrorStruct,
  xmlSchemaFreeValidCtxt,
  xmlSchemaNewValidCtxt,
  xmlSchemaSetValidStructuredErrors,
  xmlSchemaValidateDoc,
} from "libxml2-wasm/lib/libxml2.mjs";
import { guarded } from "./engine.js";
import { addFunction } from "./internals.js";
import { asNode, lineOf } from "./node.js";
import { readablePath } from "./node-path.js";
import { libraryDocument, parseXml, type ParsedDocument } from "./parse.js";
import { policyPath, policyUrl, withPolicyFiles } from "./policy-files.js";
import { problem, type XmlProblem } from "./problem.js";

export interface Schema {
  /** Empty = valid. At most `limit` problems are collected; the engine still reads to the end. */
  validate(document: ParsedDocument, limit: number): readonly XmlProblem[];
  dispose(): void;
}

export type SchemaResult =
  | { readonly kind: "compiled"; readonly schema: Schema }
  | { readonly kind: "broken"; readonly problems: readonly XmlProblem[] };

/**
 * Compiles the schema at `entry` with everything it imports from `files` (path to bytes). Fails closed: a file that is
 * asked for and is not in the set makes it broken, although XSD 1.0 would let an import go unresolved.
 */
export function compileSchema(files: ReadonlyMap<string, Uint8Array>, entry: string): SchemaResult {
  const bytes = files.get(entry);
  if (bytes === undefined)
    return broken([problem({ message: "The file is not in the policy bundle.", file: entry })]);
  const parsed = parseXml(bytes, policyUrl(entry));
  if (parsed.kind === "broken") return broken(parsed.problems.map((found) => ({ ...found, file: entry })));
  try {
    const { result, missing } = withPolicyFiles(files, () => compile(libraryDocument(parsed.document)));
    if (missing.length === 0) return result instanceof XsdValidator ? compiled(result) : broken(result);
    if (result instanceof XsdValidator) result.dispose();
    return broken(
      [...new Set(missing)].map((path) =>
        problem({ message: `${path} is imported but is not in the policy bundle.`, file: entry }),
      ),
    );
  } finally {
    parsed.document.dispose();
  }
}

function compile(document: XmlDocument): XsdValidator | readonly XmlProblem[] {
  return guarded(() => {
    try {
      return XsdValidator.fromDoc(document);
    } catch (thrown) {
      if (thrown instanceof XmlLibError) return compileProblems(thrown);
      throw thrown;
    }
  });
}

function compileProblems(error: XmlLibError): readonly XmlProblem[] {
  const details = error.details.filter((detail) => detail.level > 1).slice(0, 20);
  const found = details.map((detail) =>
    problem({
      message: detail.message,
      line: detail.line,
      file: detail.file === undefined ? undefined : policyPath(detail.file),
    }),
  );
  return found.length > 0 ? found : [problem({ message: "The schema could not be compiled." })];
}

function broken(problems: readonly XmlProblem[]): SchemaResult {
  return { kind: "broken", problems };
}

function compiled(validator: XsdValidator): SchemaResult {
  const pointer = (validator as unknown as { readonly _ptr: number })._ptr;
  return {
    kind: "compiled",
    schema: {
      validate: (document, limit) => guarded(() => validate(pointer, document, limit)),
      dispose: () => {
        validator.dispose();
      },
    },
  };
}

let collecting: { readonly limit: number; readonly found: XmlProblem[] } = { limit: 0, found: [] };

/**
 * Our own collector, because the library's computes a path for every error, which is quadratic in their number
 * (80,000 errors took 13 s).
 */
const collect = addFunction((_, error = 0) => {
  if (collecting.found.length >= collecting.limit) return;
  const node = XmlErrorStruct.node(error);
  const at = node === 0 ? undefined : asNode(node);
  collecting.found.push(
    problem({
      message: XmlErrorStruct.message(error),
      line: XmlErrorStruct.line(error) || (at === undefined ? undefined : lineOf(at)),
      xpath: at === undefined ? undefined : readablePath(at),
    }),
  );
}, "vii");

function validate(schema: number, document: ParsedDocument, limit: number): readonly XmlProblem[] {
  const found: XmlProblem[] = [];
  const context = xmlSchemaNewValidCtxt(schema);
  collecting = { limit, found };
  try {
    xmlSchemaSetValidStructuredErrors(context, collect, 0);
    const outcome = xmlSchemaValidateDoc(context, document.node);
    if (outcome === 0) return [];
    return found.length > 0 ? found : [problem({ message: "The engine could not finish the validation." })];
  } finally {
    collecting = { limit: 0, found: [] };
    xmlSchemaFreeValidCtxt(context);
  }
}
