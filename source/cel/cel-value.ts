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
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => celValue(item, schema.items));
  return celObject(value as Readonly<Record<string, unknown>>, schema.properties ?? NONE);
}

const NONE: Readonly<Record<string, ValueSchema>> = {};

/** The library asks for the first entry of a map again and again, and finds it in an object by listing all names. */
const MANY = 50;

/** Loops, because 10,000 manifests are half a million fields. */
function celObject(
  object: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, ValueSchema>>,
): unknown {
  const names = Object.keys(object);
  if (names.length > MANY)
    return new Map(names.map((name) => [name, celValue(object[name], properties[name])] as const));
  const copy: Record<string, unknown> = {};
  for (const name of names) {
    const child = object[name];
    // Set like any other, this name would be the copy's prototype.
    if (child !== undefined && name !== "__proto__") copy[name] = celValue(child, properties[name]);
  }
  return copy;
}

interface Remembered {
  readonly object: object;
  readonly value: unknown;
}

/** Only the last one of each: to keep 10,000 copies costs the collector more than to make them again. */
let lastManifest: Remembered | undefined;
let lastObject: Remembered | undefined;

/** A manifest as CEL has it. The rules of the CRD and every policy ask for the same one, one after the other. */
export function manifestValue(manifest: object): unknown {
  if (lastManifest?.object !== manifest)
    lastManifest = { object: manifest, value: celValue(manifest, harvestSourceSchema as ValueSchema) };
  return lastManifest.value;
}

/** An object without a schema of ours, as CEL has it. Every source is asked about with the same ConfigMap. */
export function objectValue(object: object): unknown {
  if (lastObject?.object !== object) lastObject = { object, value: celValue(object) };
  return lastObject.value;
}
