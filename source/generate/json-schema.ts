import { isTextOrList, storedVersion, type Crd, type CrdNode } from "./crd-node.js";

type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords that mean the same in a structural schema and in JSON Schema draft 7. */
const SHARED = [
  "type",
  "description",
  "enum",
  "default",
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "required",
] as const;

const TEXT = ["pattern", "minLength", "maxLength"] as const;
const LIST = ["minItems", "maxItems"] as const;

/** Fields of ObjectMeta that the API server or a GitOps tool may write: allowed, not looked at. */
const OTHER_METADATA = [
  "generateName",
  "finalizers",
  "ownerReferences",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "managedFields",
  "selfLink",
];

/**
 * JSON Schema (draft 7) of a whole manifest. What the API server prunes (unknown fields) is refused here, and what it
 * checks by itself (metadata) is spelt out.
 */
export function manifestSchema(crd: Crd): JsonSchema {
  const { apiVersion, kind, spec } = storedVersion(crd);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: kind,
    type: "object",
    required: ["apiVersion", "kind", "metadata", "spec"],
    additionalProperties: false,
    properties: {
      apiVersion: { type: "string", enum: [apiVersion] },
      kind: { type: "string", enum: [kind] },
      metadata: metadataSchema(),
      spec: nodeSchema(spec),
      status: { type: "object" },
    },
  };
}

/** Names by RFC 1123 subdomain, label keys and values by the grammar of the API server. */
function metadataSchema(): JsonSchema {
  return {
    type: "object",
    required: ["name"],
    additionalProperties: false,
    properties: {
      name: {
        type: "string",
        minLength: 1,
        maxLength: 253,
        pattern: "^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$",
      },
      namespace: { type: "string", maxLength: 63, pattern: "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$" },
      labels: texts({ maxLength: 63, pattern: "^([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?$" }),
      annotations: texts({ maxLength: 262144 }),
      ...Object.fromEntries(OTHER_METADATA.map((name) => [name, {}])),
    },
  };
}

/** A map of texts with keys as Kubernetes allows them for labels and annotations. */
function texts(values: JsonSchema): JsonSchema {
  return {
    type: "object",
    maxProperties: 256,
    propertyNames: {
      maxLength: 317,
      pattern: "^([a-z0-9]([a-z0-9.-]*[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$",
    },
    additionalProperties: { type: "string", ...values },
  };
}

function nodeSchema(node: CrdNode): JsonSchema {
  if (isTextOrList(node)) return textOrList(node);
  const schema: Record<string, unknown> = pick(node, SHARED);
  if (node["x-kubernetes-list-type"] === "set") schema["uniqueItems"] = true;
  if (node.items !== undefined) schema["items"] = nodeSchema(node.items);
  if (node.properties === undefined) return schema;
  schema["additionalProperties"] = false;
  schema["properties"] = Object.fromEntries(
    Object.entries(node.properties).map(([name, child]) => [name, nodeSchema(child)]),
  );
  return schema;
}

/** Said with if/then/else instead of anyOf, so that a wrong text is told as a wrong text and not as "matches neither". */
function textOrList(node: CrdNode): JsonSchema {
  return {
    description: node.description,
    if: { type: "array" },
    then: { ...pick(node, LIST), items: node.items === undefined ? {} : nodeSchema(node.items) },
    else: { type: "string", ...pick(node, TEXT) },
  };
}

function pick(node: CrdNode, keys: readonly (keyof CrdNode)[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => node[key] !== undefined).map((key) => [key, node[key]]));
}
