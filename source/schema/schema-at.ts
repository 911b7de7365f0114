import { harvestSourceSchema } from "../harvest-source.generated.js";
import type { Path } from "../yaml/node-place.js";

/** As much of a JSON Schema as is asked of one field. */
export interface SchemaNode {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
}

/** What the schema of a manifest says of the field at this path, numbers for items of lists; undefined where it knows none. */
export function schemaAt(path: Path): SchemaNode | undefined {
  let node: SchemaNode | undefined = harvestSourceSchema as SchemaNode;
  for (const step of path) node = child(node, step);
  return node;
}

function child(node: SchemaNode | undefined, step: string | number): SchemaNode | undefined {
  if (typeof step === "number") return node?.items;
  const own = node?.properties;
  if (own !== undefined && Object.hasOwn(own, step)) return own[step];
  const others = node?.additionalProperties;
  return typeof others === "object" ? others : undefined;
}
