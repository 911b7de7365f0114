import { parse } from "yaml";
import type { Crd } from "./crd-node.js";
import { manifestSchema } from "./json-schema.js";
import { jsonText } from "./json-text.js";
import { typeText } from "./type-text.js";

/** Where the CRD lies, relative to the repository. */
export const crdPath = "crds/ingest.geoportal.io_harvestsources.yaml";

export interface GeneratedFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

/** Everything that is made from the text of the CRD. Throws when the text is no CRD the generator understands. */
export function generatedFiles(crdText: string): readonly GeneratedFile[] {
  const crd = parse(crdText) as Crd;
  const schema = jsonText(manifestSchema(crd));
  return [
    {
      path: "source/harvest-source.generated.ts",
      text: `/** Generated from ${crdPath} by \`npm run generate\`. Do not edit. */

${typeText(crd)}
/** JSON Schema (draft 7) of a manifest, with its defaults; compiled by source/schema/validate.ts. */
export const harvestSourceSchema = ${schema};
`,
    },
    { path: "schemas/harvest-source.schema.json", text: `${schema}\n` },
  ];
}
