/** The schemas and rules this repository ships, as the gates see them: a closed set of files in memory. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileSchema, type Schema } from "../../harvester/xml/schema.js";
import { parseXml } from "../../harvester/xml/parse.js";

const root = join(import.meta.dirname, "../..");

/** All files below these folders of `base`, under their path relative to it. */
export function filesBelow(
  base: string,
  folders: readonly string[],
  ending: string,
): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const folder of folders) {
    for (const entry of readdirSync(join(base, folder), { recursive: true, encoding: "utf8" }).sort()) {
      if (entry.endsWith(ending)) found.set(`${folder}/${entry}`, readFileSync(join(base, folder, entry)));
    }
  }
  return found;
}

export const shippedSchemas = filesBelow(root, ["schemas"], ".xsd");
export const shippedRules = filesBelow(root, ["rules"], ".sch");

export function fixture(path: string): Uint8Array {
  return readFileSync(join(root, "tests/fixtures", path));
}

/** Paths of the fixtures below a folder, relative to tests/fixtures. */
export function fixtures(folder: string): readonly string[] {
  return [...filesBelow(join(root, "tests/fixtures"), [folder], ".xml").keys()];
}

/** Throws with the engine's reasons when the schema does not compile. */
export function compiled(files: ReadonlyMap<string, Uint8Array>, entry: string): Schema {
  const result = compileSchema(files, entry);
  if (result.kind === "compiled") return result.schema;
  throw new Error(`${entry} does not compile: ${result.problems.map((found) => found.message).join(" ")}`);
}

/** What a schema has against a document; none = accepted. Text that is not XML counts as refused. */
export function refusals(schema: Schema, xml: Uint8Array | string): readonly string[] {
  const parsed = parseXml(typeof xml === "string" ? Buffer.from(xml, "utf8") : xml);
  if (parsed.kind === "broken") return parsed.problems.map((found) => `not well-formed: ${found.message}`);
  try {
    return schema.validate(parsed.document, 50).map((found) => found.message);
  } finally {
    parsed.document.dispose();
  }
}
