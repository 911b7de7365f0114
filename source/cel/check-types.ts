/** The type check of the rules, as the API server makes it when the CRD or a policy is applied. */
import type { ObjectSchema } from "@marcbachmann/cel-js";
import { serverEnvironment } from "./environment.js";
import { inOwnNames } from "./server-names.js";

/** A type by its CEL name, or the fields of an object. */
export type CelType = string | CelFields;
export interface CelFields {
  readonly [field: string]: CelType;
}

/** A schema as far as types go: JSON Schema, or the structural schema of a CRD. */
export interface TypedNode {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, TypedNode>>;
  readonly items?: TypedNode;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: "string",
  boolean: "bool",
  integer: "int",
  number: "double",
};

/** What a value of this schema is to CEL. */
export function celTypeOf({ type, properties, items }: TypedNode): CelType {
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, node]) => [name, celTypeOf(node)]));
  if (type === "array") {
    const item = celTypeOf(items ?? {});
    return `list<${typeof item === "string" ? item : "dyn"}>`;
  }
  if (type === "object") return "map<string, dyn>";
  return (type === undefined ? undefined : SCALARS[type]) ?? "dyn";
}

/**
 * The type of an expression whose names have these types; two names with one and the same object have one type. Throws
 * with the expression and the reason when it is no CEL, or uses a name, a field or a function that is not there: what our
 * environment lacks is found here, not by a reader of lint.
 */
export function checkedType(expression: string, names: CelFields): string {
  const environment = serverEnvironment("declared");
  const declared = new Map<CelFields, string>();
  for (const [name, type] of Object.entries(names)) {
    if (typeof type === "string") environment.registerVariable(name, type);
    else environment.registerVariable(name, declared.get(type) ?? declareObject(environment, type, declared));
  }
  const checked = environment.check(inOwnNames(expression));
  if (checked.valid && checked.type !== undefined) return checked.type;
  throw new Error(`${expression}\n${checked.error?.message ?? "has no type"}`);
}

/** An object's type by a name of its own; the library has no comparison of objects unless it is told of one. */
function declareObject(
  environment: ReturnType<typeof serverEnvironment>,
  fields: CelFields,
  declared: Map<CelFields, string>,
): string {
  const name = `Object${String(declared.size)}`;
  declared.set(fields, name);
  environment.registerType({ name, schema: fields as ObjectSchema });
  environment.registerOperator(`${name} == null`, () => false);
  for (const each of objectNames(name, fields))
    environment.registerOperator(`${each} == ${each}`, () => false);
  return name;
}

function objectNames(name: string, fields: CelFields): readonly string[] {
  const below = Object.entries(fields).flatMap(([field, type]) =>
    typeof type === "string" ? [] : objectNames(`${name}.${field}`, type),
  );
  return [name, ...below];
}
