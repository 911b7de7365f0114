/**
 * What harvestctl install prints. manifests/install/rendered/ holds each overlay as kustomize built it; here namespace, images
 * and policy are put into it. A test holds the result against kustomize itself.
 */
import { createHash } from "node:crypto";
import { isMap, parseDocument } from "yaml";
import type { BundleObject } from "./bundle-objects.js";

export const installShapes = ["namespaced", "cluster-wide", "high-availability", "source-namespace"] as const;
export type InstallShape = (typeof installShapes)[number];

/** Where it goes unless somebody says otherwise; a namespace with sources beside a cluster-wide controller has no default. */
export const defaultNamespace: Readonly<Record<InstallShape, string | undefined>> = {
  namespaced: "harvest",
  "cluster-wide": "harvest-system",
  "high-availability": "harvest-system",
  "source-namespace": undefined,
};

export interface InstallObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

export interface InstallImages {
  readonly controller?: string | undefined;
  readonly harvester?: string | undefined;
}

export interface InstallWish {
  readonly shape: InstallShape;
  readonly namespace: string;
  readonly images: InstallImages;
  /** The objects of manifests/install/rendered/<shape>.yaml. */
  readonly rendered: readonly InstallObject[];
  readonly definition: InstallObject;
  /** The bundle first, and the ceilings where there are some. */
  readonly policy: readonly BundleObject[];
}

const configMapName = "harvest-controller-config";
const configKey = "controller.yaml";

/** In the order in which they must be applied. */
export function installObjects(wish: InstallWish): readonly InstallObject[] {
  const { shape, namespace, rendered } = wish;
  const objects = rendered.map((object) => inNamespace(object, namespace));
  const policy = wish.policy
    .filter((object) => belongsTo(shape, "binaryData" in object))
    .map((object) => inNamespace(partOfHarvest(object as unknown as InstallObject), namespace));
  if (shape === "source-namespace") return [...objects, ...policy];
  const configured = withConfiguration(objects, wish).map((object) => withImage(object, wish.images));
  return [
    ...configured.filter(({ kind }) => kind === "Namespace"),
    partOfHarvest(wish.definition),
    ...policy,
    ...configured.filter(({ kind }) => kind !== "Namespace"),
  ];
}

/** Pods read the bundle in their own namespace; the ceilings are those beside the controller. */
function belongsTo(shape: InstallShape, isBundle: boolean): boolean {
  if (shape === "namespaced") return true;
  return isBundle === (shape === "source-namespace");
}

function partOfHarvest(object: InstallObject): InstallObject {
  const labels = { ...object.metadata.labels, "app.kubernetes.io/part-of": "harvest" };
  return { ...object, metadata: { ...object.metadata, labels } };
}

const clusterKinds = [
  "ClusterRole",
  "ClusterRoleBinding",
  "CustomResourceDefinition",
  "Namespace",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
];

interface Parameter {
  readonly namespace?: string;
}

/** Every place of the overlays that says which namespace it is: objects, who is bound, where parameters are looked for. */
function inNamespace(object: InstallObject, namespace: string): InstallObject {
  const { kind, metadata } = object;
  if (kind === "Namespace") return { ...object, metadata: { ...metadata, name: namespace } };
  const moved = clusterKinds.includes(kind) ? object : { ...object, metadata: { ...metadata, namespace } };
  const { subjects, spec } = object as {
    subjects?: readonly object[];
    spec?: { readonly paramRef?: Parameter };
  };
  if (subjects !== undefined)
    return { ...moved, subjects: subjects.map((subject) => ({ ...subject, namespace })) };
  return spec?.paramRef?.namespace === undefined
    ? moved
    : { ...moved, spec: { ...spec, paramRef: { ...spec.paramRef, namespace } } };
}

/** The controller's configuration in a ConfigMap named by its content, so that another configuration is a rollout. */
function withConfiguration(objects: readonly InstallObject[], wish: InstallWish): readonly InstallObject[] {
  const found = objects.find(
    ({ kind, metadata }) => kind === "ConfigMap" && metadata.name.startsWith(`${configMapName}-`),
  );
  if (found === undefined) throw new RangeError(`${wish.shape} has no configuration of the controller.`);
  const text = configuration((found["data"] as Readonly<Record<string, string>>)[configKey] ?? "", wish);
  const name = `${configMapName}-${createHash("sha256").update(text).digest("hex").slice(0, 10)}`;
  return objects.map((object) =>
    object === found
      ? { ...found, metadata: { ...found.metadata, name }, data: { [configKey]: text } }
      : (renamed(object, found.metadata.name, name) as InstallObject),
  );
}

function configuration(text: string, { shape, namespace, images, policy }: InstallWish): string {
  const document = parseDocument(text);
  if (!isMap(document.contents)) throw new RangeError(`${configKey} of ${shape} is no map.`);
  if (images.harvester !== undefined) document.setIn(["harvester", "image"], images.harvester);
  document.setIn(["harvester", "policyBundle"], policy[0]?.metadata.name);
  if (shape === "namespaced") document.set("watchNamespaces", [namespace]);
  return document.toString({ lineWidth: 0 });
}

/** The same object with every text that is `from` written `to`. */
function renamed(value: unknown, from: string, to: string): unknown {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((item) => renamed(item, from, to));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renamed(item, from, to)]));
}

interface Workload {
  readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
}

function withImage(object: InstallObject, { controller }: InstallImages): InstallObject {
  if (object.kind !== "Deployment" || controller === undefined) return object;
  const spec = object["spec"] as Workload;
  const { template } = spec;
  const containers = template.spec.containers.map((container) => ({ ...container, image: controller }));
  return {
    ...object,
    spec: { ...spec, template: { ...template, spec: { ...template.spec, containers } } },
  };
}
