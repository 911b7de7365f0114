import { annotations } from "../names.js";
import type { Json, JsonObject, KubeObject, ManagedFieldsEntry } from "../object.js";
import { difference, MAX_FIELDS, type FieldDifference } from "./field-difference.js";
import { isLeaf, childSet, pathText, stepInto, type FieldSet } from "./field-set.js";
import { applyEntry, foreignFields, takeover } from "./managed-fields.js";
import { unmet } from "./subset.js";
import { withoutAbsent } from "./without-absent.js";

export interface ChildQuestion {
  /** As rendered. */
  readonly desired: KubeObject;
  readonly live: KubeObject;
  /** Field manager the children are applied with. */
  readonly manager: string;
}

export type ChildDifference =
  | { readonly kind: "same" }
  | {
      readonly kind: "differs";
      /** At most MAX_FIELDS. */
      readonly fields: readonly FieldDifference[];
      /** Who else owns fields of it, beside metadata and status. */
      readonly managers: readonly string[];
      /** To be written (takeoverPatch) before the forced apply, so that the apply removes what others added. */
      readonly managedFields?: readonly ManagedFieldsEntry[];
    };

/** Says whether a child in the cluster still is what was rendered, and nothing more. */
export function childDifference(question: ChildQuestion): ChildDifference {
  const { live, manager } = question;
  const foreign = foreignFields(live, manager);
  const added = foreign.paths.map((path) => difference(pathText(path), { live: valueAt(live, path) }));
  const fields = unique([
    ...hashDifference(question),
    ...unmetFields(question),
    ...added,
    ...leftOver(question),
  ]);
  if (fields.length === 0) return { kind: "same" };
  const managedFields = foreign.paths.length > 0 ? takeover(live, manager) : undefined;
  return {
    kind: "differs",
    fields: fields.slice(0, MAX_FIELDS),
    managers: foreign.managers,
    ...(managedFields === undefined ? {} : { managedFields }),
  };
}

/** A JSON patch that writes managedFields, if the object still is the one that was looked at (409 otherwise). */
export function takeoverPatch(
  live: KubeObject,
  managedFields: readonly ManagedFieldsEntry[],
): readonly JsonObject[] {
  return [
    { op: "replace", path: "/metadata/managedFields", value: managedFields as unknown as readonly Json[] },
    { op: "replace", path: "/metadata/resourceVersion", value: live.metadata.resourceVersion ?? "" },
  ];
}

/** Rendered by another version of us, or the annotation was touched. */
function hashDifference({ desired, live }: ChildQuestion): readonly FieldDifference[] {
  const name = annotations.renderedHash;
  const delivered = desired.metadata.annotations?.[name];
  const found = live.metadata.annotations?.[name];
  return delivered === found ? [] : [difference(`metadata.annotations.${name}`, { delivered, live: found })];
}

function unmetFields({ desired, live, manager }: ChildQuestion): readonly FieldDifference[] {
  const owned = applyEntry(live, manager)?.fieldsV1;
  const { metadata, ...rest } = desired;
  const { labels, annotations: notes, ownerReferences } = metadata;
  const said = { metadata: { labels, annotations: notes, ownerReferences }, ...rest, status: undefined };
  return Object.entries(withoutAbsent(said)).flatMap(([field, value]) =>
    unmet({
      path: field,
      field,
      desired: value,
      live: live[field],
      owned: owned === undefined ? undefined : childSet(owned, `f:${field}`),
    }),
  );
}

/**
 * What our own apply owns and no longer says: left when we were stopped between taking a field over and applying. No
 * entry of ours at all: nobody can tell what was added, so it is applied again.
 */
function leftOver({ desired, live, manager }: ChildQuestion): readonly FieldDifference[] {
  const owned = applyEntry(live, manager)?.fieldsV1;
  if (owned === undefined) return [difference("metadata.managedFields", { delivered: manager })];
  return unsaid(owned, desired, []).map((path) => difference(pathText(path), { live: valueAt(live, path) }));
}

function unsaid(owned: FieldSet, desired: unknown, path: readonly string[]): readonly string[][] {
  return Object.keys(owned).flatMap((key) => {
    if (key === ".") return [];
    const here = [...path, key];
    const value = stepInto(desired, key);
    if (value === undefined) return [here];
    const below = childSet(owned, key) ?? {};
    return isLeaf(below) ? [] : unsaid(below, value, here);
  });
}

function valueAt(live: KubeObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => stepInto(value, key), live);
}

/** The first word about a field is the one that tells both sides. */
function unique(fields: readonly FieldDifference[]): readonly FieldDifference[] {
  const told = new Set<string>();
  return fields.filter(({ field }) => !told.has(field) && told.add(field));
}
