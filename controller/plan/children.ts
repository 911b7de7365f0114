import { childDifference, takeoverPatch } from "../drift/child-difference.js";
import type { FieldDifference } from "../drift/field-difference.js";
import { annotations, manager } from "../names.js";
import { keyOf, type KubeObject } from "../object.js";
import type { Observed } from "../observed.js";
import type { Children } from "../render/render-children.js";
import { resources, type Resource } from "../resources.js";
import { ownershipOf } from "./ownership.js";
import type { Step } from "./step.js";

export interface ChildPlan {
  readonly steps: readonly Step[];
  /** What keeps a child from its place, for the Ready condition; absent = nothing. */
  readonly trouble?: string;
}

interface Child {
  readonly resource: Resource;
  readonly desired: KubeObject;
  readonly live: KubeObject | undefined;
}

/** The writes that put the children of an accepted source in place, in the order in which they need one another. */
export function planChildren(observed: Observed, children: Children): ChildPlan {
  const { configMap, networkPolicy, cronJob } = children;
  const plans = [
    { resource: resources.configMap, desired: configMap, live: liveConfigMap(observed, configMap) },
    { resource: resources.networkPolicy, desired: networkPolicy, live: observed.networkPolicy },
    { resource: resources.cronJob, desired: cronJob, live: observed.cronJob },
  ].map((child) => planChild(child, observed));
  const trouble = plans.find((plan) => plan.trouble !== undefined)?.trouble;
  return { steps: plans.flatMap(({ steps }) => steps), ...(trouble !== undefined && { trouble }) };
}

function liveConfigMap({ configMaps }: Observed, desired: KubeObject): KubeObject | undefined {
  return configMaps.find(({ metadata }) => metadata.name === desired.metadata.name);
}

function planChild(child: Child, observed: Observed): ChildPlan {
  const { source } = observed;
  const { live } = child;
  if (live === undefined) return { steps: [make(child, observed)] };
  const ownership = ownershipOf(live, source);
  if (ownership.kind === "theirs") return { steps: [], trouble: ownership.sentence };
  if (ownership.kind === "going")
    return {
      steps: [],
      trouble: `${live.kind} ${keyOf(live)} is being deleted; it is made again when it is gone.`,
    };
  return { steps: mend(child, live) };
}

function make({ resource, desired }: Child, observed: Observed): Step {
  const step = { kind: "apply", resource, object: desired } as const;
  if (!wasInPlace(desired, observed)) return { ...step, why: "missing" };
  return { ...step, why: "repair", sentence: `${desired.kind} ${keyOf(desired)} was deleted by somebody.` };
}

/** Then it did not go by itself. Each spec has a ConfigMap of its own name: only that of the installed one was there. */
function wasInPlace({ kind, metadata }: KubeObject, { source, cronJob }: Observed): boolean {
  const { conditions = [], observedGeneration } = source.status ?? {};
  if (!conditions.some(({ type, status }) => type === "Ready" && status === "True")) return false;
  if (kind !== "ConfigMap") return true;
  const mounted = cronJob === undefined || JSON.stringify(cronJob["spec"]).includes(`"${metadata.name}"`);
  return mounted && observedGeneration === source.metadata.generation;
}

function mend({ resource, desired }: Child, live: KubeObject): readonly Step[] {
  const difference = childDifference({ desired, live, manager });
  if (difference.kind === "same") return [];
  const { managedFields } = difference;
  // The brake of a source that could not be rendered was our own hand.
  const managers = difference.managers.filter((name) => name !== manager);
  const why = isNewRendering(live, desired) && managers.length === 0 ? "changed" : "repair";
  const { uid } = live.metadata;
  return [
    {
      kind: "apply",
      resource,
      object: desired,
      why,
      sentence: `${live.kind} ${keyOf(live)} ${reasonText(why, managers)}: ${fieldsText(difference.fields)}.`,
      ...(managedFields !== undefined && { takeover: takeoverPatch(live, managedFields) }),
      ...(mustReplace(live, desired) && uid !== undefined && { replaceUid: uid }),
    },
  ];
}

function isNewRendering(live: KubeObject, desired: KubeObject): boolean {
  const name = annotations.renderedHash;
  return live.metadata.annotations?.[name] !== desired.metadata.annotations?.[name];
}

function reasonText(why: "changed" | "repair", managers: readonly string[]): string {
  // A new manifest, a new policy, a brake: nobody laid hands on it.
  if (why === "changed") return "is not yet what its source asks for now";
  const by = managers.length === 0 ? "somebody" : managers.map((name) => `"${name}"`).join(", ");
  return `was changed by ${by}`;
}

function fieldsText(fields: readonly FieldDifference[]): string {
  const what = fields.slice(0, 5).map(({ field }) => field);
  const more = fields.length > what.length ? ` and ${String(fields.length - what.length)} more` : "";
  return `${what.join(", ")}${more}`;
}

/** An immutable ConfigMap with our name and other data cannot be mended, only made anew. */
function mustReplace(live: KubeObject, desired: KubeObject): boolean {
  if (desired.kind !== "ConfigMap") return false;
  return JSON.stringify(live["data"]) !== JSON.stringify(desired["data"]) || live["binaryData"] !== undefined;
}
