import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { harvestSourceSchema, type HarvestSource } from "../harvest-source.generated.js";

let compiled: ValidateFunction<HarvestSource> | undefined;

export type Validation =
  | { readonly ok: true; readonly source: HarvestSource }
  | { readonly ok: false; readonly errors: readonly ErrorObject[] };

/**
 * Checks a manifest against the schema and fills its defaults in (the value is changed in place, as the API server
 * does it: a missing parent first becomes its default, then its children get theirs).
 */
export function validate(value: unknown): Validation {
  compiled ??= new Ajv({
    allErrors: true,
    useDefaults: true,
    strictTypes: false,
    verbose: true,
  }).compile<HarvestSource>(harvestSourceSchema);
  if (compiled(value)) return { ok: true, source: value };
  return { ok: false, errors: compiled.errors ?? [] };
}
