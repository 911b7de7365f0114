import type { Path } from "../../../source/yaml/node-place.js";
import { pointerPath } from "../../../source/schema/field-path.js";
import { asFields, type BuiltObject, type Fields } from "./built-object.js";
import type { Origin } from "./origins.js";

/** Operations (RFC 6902) in their order. Throws an Error that says which one cannot be done and why. */
export function jsonPatch(object: BuiltObject, operations: readonly unknown[], origin: Origin): void {
  for (const [i, operation] of operations.entries()) {
    const fields = asFields(operation);
    if (fields === undefined) throw new Error(`Operation ${String(i + 1)} of the patch is no map.`);
    const value = { yaml: origin.yaml, at: [...origin.at, i, "value"] };
    try {
      operate(object, fields, value);
    } catch (error) {
      const path = String(fields["path"]).slice(0, 200);
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`The patch cannot ${String(fields["op"]).slice(0, 20)} ${path}: ${why}.`, {
        cause: error,
      });
    }
  }
}

type Operation = (object: BuiltObject, fields: Fields, origin: Origin) => void;

const operations: Readonly<Record<string, Operation>> = {
  add: (object, fields, origin) => {
    add(object, { path: pathOf(fields, "path"), value: valueOf(fields), origin });
  },
  remove: (object, fields) => {
    remove(object, pathOf(fields, "path"));
  },
  replace: (object, fields, origin) => {
    const path = pathOf(fields, "path");
    remove(object, path);
    add(object, { path, value: valueOf(fields), origin });
  },
  copy: (object, fields, origin) => {
    const value = structuredClone(read(object, pathOf(fields, "from")));
    add(object, { path: pathOf(fields, "path"), value, origin });
  },
  move: (object, fields, origin) => {
    const from = pathOf(fields, "from");
    const value = read(object, from);
    remove(object, from);
    add(object, { path: pathOf(fields, "path"), value, origin });
  },
  test: (object, fields) => {
    if (JSON.stringify(read(object, pathOf(fields, "path"))) !== JSON.stringify(fields["value"]))
      throw new Error("the value is another one");
  },
};

function operate(object: BuiltObject, fields: Fields, origin: Origin): void {
  const name = String(fields["op"]);
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation === undefined) throw new Error("there is no such operation");
  operation(object, fields, origin);
}

function pathOf(fields: Fields, name: "path" | "from"): Path {
  const pointer = fields[name];
  if (typeof pointer !== "string" || !pointer.startsWith("/"))
    throw new Error(`its ${name} does not begin with /`);
  return pointerPath(pointer);
}

function valueOf(fields: Fields): unknown {
  if (!("value" in fields)) throw new Error("it has no value");
  return structuredClone(fields["value"]);
}

interface Addition {
  readonly path: Path;
  readonly value: unknown;
  readonly origin: Origin;
}

function add(object: BuiltObject, { path, value, origin }: Addition): void {
  const parent = read(object, path.slice(0, -1));
  const step = path.at(-1) ?? "";
  if (Array.isArray(parent)) {
    const at = step === "-" ? parent.length : Number(step);
    if (!Number.isInteger(at) || at < 0 || at > parent.length)
      throw new Error("there is no such place in the list");
    parent.splice(at, 0, value);
    // Items behind it moved: the list as a whole keeps its place, and this item gets its own.
    object.origins.set([...path.slice(0, -1), at], origin);
    return;
  }
  const fields = asFields(parent);
  if (fields === undefined) throw new Error("there is nothing to put it into");
  Object.defineProperty(fields, step, { value, enumerable: true, writable: true, configurable: true });
  object.origins.set(path, origin);
}

function remove(object: BuiltObject, path: Path): void {
  const parent = read(object, path.slice(0, -1));
  const step = path.at(-1) ?? "";
  if (Array.isArray(parent)) {
    if (typeof step !== "number" || step >= parent.length) throw new Error("there is no such item");
    parent.splice(step, 1);
    return;
  }
  const fields = asFields(parent);
  if (fields === undefined || !Object.hasOwn(fields, step)) throw new Error("there is no such field");
  Reflect.deleteProperty(fields, step);
}

function read(object: BuiltObject, path: Path): unknown {
  let value: unknown = object.value;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
      throw new Error("there is no such field");
    value = (value as Fields)[step];
  }
  return value;
}
