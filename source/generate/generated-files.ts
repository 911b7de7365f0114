import { parse } from "yaml";
import type { TypedNode } from "../cel/check-types.js";
import { admissionPoliciesOf } from "./admission-policies.js";
import type { Crd } from "./crd-node.js";
import { crdRulesOf } from "./crd-rules.js";
import { manifestSchema } from "./json-schema.js";
import { jsonText } from "./json-text.js";
import { typeText } from "./type-text.js";

/** Where the CRD lies, relative to the repository. */
export const crdPath = "crds/ingest.geoportal.io_harvestsources.yaml";

/** Where the admission policies lie that are shipped. */
export const policyPaths = ["delivery", "fair-use"].map(
  (name) => `manifests/install/components/admission/${name}.yaml`,
);

export interface GeneratedFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

/**
 * Everything that is made from the text of the CRD and of the admission policies. Throws when a text is none the generator
 * understands, or one of their rules is none that can be judged without a server.
 */
export function generatedFiles(crdText: string, policyTexts: readonly string[]): readonly GeneratedFile[] {
  const crd = parse(crdText) as Crd;
  const manifest = manifestSchema(crd);
  const schema = jsonText(manifest);
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
    {
      path: "source/cel/rules.generated.ts",
      text: `/** Generated from ${crdPath} and manifests/install/components/admission by \`npm run generate\`. Do not edit. */
import type { AdmissionPolicy, CrdRule } from "./rule-types.js";

/** x-kubernetes-validations of the CRD. */
export const crdRules: readonly CrdRule[] = ${jsonText(crdRulesOf(crd))};

/** The ValidatingAdmissionPolicies about HarvestSources. */
export const admissionPolicies: readonly AdmissionPolicy[] = ${jsonText(admissionPoliciesOf(policyTexts, manifest as TypedNode))};
`,
    },
  ];
}
