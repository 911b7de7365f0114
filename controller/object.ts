/** Objects of the Kubernetes API as raw JSON: nothing of them is lost, whatever the server's version knows that we do not. */
import type { HarvestSource, HarvestSourceStatus } from "../source/harvest-source.generated.js";

export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };
export type JsonObject = { readonly [key: string]: Json | undefined };

/** One entry of metadata.managedFields: who owns which fields (server-side apply). */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: "Apply" | "Update";
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: "FieldsV1";
  readonly fieldsV1?: JsonObject;
  readonly subresource?: string;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** Any object. Fields beyond these are kept: cast to what a kind is known to have where it is read. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** A HarvestSource as it lives in the cluster: defaults filled in by the API server. */
export interface LiveSource extends KubeObject {
  readonly kind: "HarvestSource";
  readonly spec: HarvestSource["spec"];
  readonly status?: HarvestSourceStatus;
}

export type Condition = NonNullable<HarvestSourceStatus["conditions"]>[number];

/** namespace/name; the name alone for what has no namespace. */
export type Key = string;

export function keyOf({ metadata }: Pick<KubeObject, "metadata">): Key {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
}

export function splitKey(key: Key): { readonly namespace?: string; readonly name: string } {
  const slash = key.indexOf("/");
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
