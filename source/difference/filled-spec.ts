import type { HarvestSource } from "../harvest-source.generated.js";
import { validate } from "../schema/validate.js";

type Spec = HarvestSource["spec"];

/** A copy with the defaults the API server would fill in; fields the schema does not know stay. */
export function filledSpec(spec: Spec): Spec {
  const manifest = {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: { name: "any" },
    spec: structuredClone(spec),
  };
  validate(manifest);
  return manifest.spec;
}
