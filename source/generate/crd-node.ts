/** One node of the CRD's structural schema, as far as the generator reads it (apiextensions.k8s.io/v1 JSONSchemaProps). */
export interface CrdNode {
  readonly type?: "object" | "string" | "integer" | "number" | "boolean" | "array";
  readonly description?: string;
  readonly properties?: Readonly<Record<string, CrdNode>>;
  readonly required?: readonly string[];
  readonly items?: CrdNode;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly "x-kubernetes-list-type"?: "set" | "map" | "atomic";
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-validations"?: readonly CrdValidation[];
}

/** One CEL rule (apiextensions.k8s.io/v1 ValidationRule). */
export interface CrdValidation {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

interface CrdVersion {
  readonly name: string;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: CrdNode };
}

/** The CustomResourceDefinition, as far as the generator reads it. */
export interface Crd {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly CrdVersion[];
  };
}

/** The version that is stored: the only one there is so far. Throws when the CRD has none. */
export function storedVersion(crd: Crd): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: CrdNode;
  readonly status?: CrdNode;
} {
  const version = crd.spec.versions.find((each) => each.storage);
  const fields = version?.schema.openAPIV3Schema.properties;
  const spec = fields?.["spec"];
  const status = fields?.["status"];
  if (version === undefined || spec === undefined)
    throw new Error("The CRD has no stored version with a spec.");
  const apiVersion = `${crd.spec.group}/${version.name}`;
  return { apiVersion, kind: crd.spec.names.kind, spec, ...(status !== undefined && { status }) };
}

/** A text or a list of texts: a union, which a structural schema can only say without a type. */
export function isTextOrList(node: CrdNode): boolean {
  return node.type === undefined && node.items !== undefined;
}
