import { createHash } from "node:crypto";
import { annotations, labels, managedBy } from "../names.js";
import type { KubeObject, LiveSource, ObjectMeta } from "../object.js";
import { apiVersionOf, resources, type Resource } from "../resources.js";
import { sortedKeys } from "./sorted-keys.js";

/** spec: the ConfigMap; the others: which kind of Job and Pod. */
export type Role = "spec" | "scheduled" | "requested" | "withdraw";

interface ChildParts {
  readonly resource: Resource;
  readonly name: string;
  readonly role?: Role;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Everything beside apiVersion, kind and metadata. */
  readonly content: Readonly<Record<string, unknown>>;
}

/** SHA-256 in hex. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * An object the source owns, with the hash of all that was rendered. Labels and annotations of the source are never copied:
 * Flux and Argo CD would take the child for one of theirs and delete it.
 */
export function childObject(source: LiveSource, parts: ChildParts): KubeObject {
  const { resource, content } = parts;
  const metadata: ObjectMeta = {
    name: parts.name,
    ...(source.metadata.namespace !== undefined && { namespace: source.metadata.namespace }),
    labels: childLabels(source, parts.role),
    annotations: { ...parts.annotations },
    ownerReferences: [ownerReference(source)],
  };
  const object = sortedKeys({
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata,
    ...content,
  });
  const hash = hashOf(JSON.stringify(object));
  const noted = { ...metadata, annotations: { ...metadata.annotations, [annotations.renderedHash]: hash } };
  return sortedKeys({ ...object, metadata: noted });
}

/** Of children, and of the pods made from them. A source's name has at most 44 characters, a label's value may have 63. */
export function childLabels({ metadata }: LiveSource, role?: Role): Readonly<Record<string, string>> {
  return {
    [labels.name]: "harvest-source",
    [managedBy.key]: managedBy.value,
    [labels.source]: metadata.name,
    ...(role !== undefined && { [labels.role]: role }),
  };
}

function ownerReference({ metadata }: LiveSource): NonNullable<ObjectMeta["ownerReferences"]>[number] {
  const { name, uid } = metadata;
  if (uid === undefined)
    throw new RangeError(`HarvestSource ${name} has no uid: it does not live in a cluster.`);
  const { harvestSource } = resources;
  return {
    apiVersion: apiVersionOf(harvestSource),
    kind: harvestSource.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}
