import { harvestSourceSchema } from "../harvest-source.generated.js";
import type { Path } from "../yaml/node-place.js";
import { schemaAt, type SchemaNode } from "./schema-at.js";

/** `["spec", "sets", 0]` → `spec.sets[0]`. Keys are cut, so that a hostile one cannot fill a screen. */
export function pathText(path: Path): string {
  return path
    .map((step, i) => {
      if (typeof step === "number") return `[${String(step)}]`;
      const name = step.length > 80 ? `${step.slice(0, 80)}…` : step;
      const plain = /^[\p{L}\p{N}_$-]+…?$/u.test(name) ? name : JSON.stringify(name);
      return i === 0 ? plain : `.${plain}`;
    })
    .join("");
}

/** JSON Pointer of the validator (RFC 6901) → path; steps into lists become numbers. */
export function pointerPath(pointer: string): Path {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** Names of the fields allowed at this path; empty where it is no object of the schema. */
export function fieldsAt(path: Path): readonly string[] {
  return Object.keys(schemaAt(path)?.properties ?? {});
}

/** Every path under spec whose last step has this name: where a field that stands in the wrong place may belong. */
export function pathsOfField(name: string): readonly Path[] {
  const found: Path[] = [];
  walk(harvestSourceSchema.properties.spec as SchemaNode, ["spec"]);
  return found;

  function walk(node: SchemaNode, path: Path): void {
    for (const [key, child] of Object.entries(node.properties ?? {})) {
      if (key === name) found.push([...path, key]);
      walk(child, [...path, key]);
    }
  }
}
