import { harvestSourceSchema } from "../harvest-source.generated.js";

/** Values of a manifest as CEL has them: a field that is `type: integer` is an int, `type: number` a double, whatever is written. */
export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly items?: ValueSchema;
}

/** A copy: whole numbers as bigint unless the schema says `number`. undefined = not there. */
export function celValue(value: unknown, schema: ValueSchema = {}): unknown {
  if (typeof value === "number")
    return schema.type !== "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item) => celValue(item, schema.items));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, child]) => child !== undefined);
  return Object.fromEntries(
    fields.map(([name, child]) => [name, celValue(child, schema.properties?.[name])]),
  );
}

const known = new WeakMap<object, unknown>();

/** A manifest as CEL has it. Remembered: the rules of the CRD and every policy ask for the same one. */
export function manifestValue(manifest: object): unknown {
  const made = known.get(manifest);
  if (made !== undefined) return made;
  const value = celValue(manifest, harvestSourceSchema as ValueSchema);
  known.set(manifest, value);
  return value;
}
