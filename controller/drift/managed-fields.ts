import type { KubeObject, ManagedFieldsEntry } from "../object.js";
import { childSet, mergeSets, missingFrom, withoutTop, type FieldSet } from "./field-set.js";
import { withoutAbsent } from "./without-absent.js";

type Managed = Pick<KubeObject, "apiVersion" | "metadata">;

/** Writes status, and nothing a manifest says. */
const PART_OF_THE_CLUSTER: ReadonlySet<string> = new Set(["kube-controller-manager"]);

/** What a manifest is not judged by: other tools may annotate, and status is another's to write. */
function isAside(key: string): boolean {
  return key === "f:metadata" || key === "f:status" || key === ".";
}

/** Our own server-side apply's entry. */
export function applyEntry(live: Managed, manager: string): ManagedFieldsEntry | undefined {
  return entriesOf(live).find((entry) => isOwn(entry, manager));
}

export function entriesOf({ metadata }: Managed): readonly ManagedFieldsEntry[] {
  return metadata.managedFields ?? [];
}

/** What others own beside metadata and status: topmost paths that our entry does not own, and who owns them. */
export function foreignFields(
  live: Managed,
  manager: string,
): { readonly managers: readonly string[]; readonly paths: readonly (readonly string[])[] } {
  const ours = applyEntry(live, manager)?.fieldsV1 ?? {};
  const found = foreignEntries(live, manager)
    .map((entry) => ({ name: entry.manager ?? "", paths: missingFrom(substance(entry), ours) }))
    .filter(({ paths }) => paths.length > 0);
  return {
    managers: [...new Set(found.map(({ name }) => name))],
    paths: found.flatMap(({ paths }) => paths),
  };
}

/**
 * The managedFields in which all that others own beside metadata and status is ours: a forced server-side apply as
 * `manager` then removes what it does not say. Undefined when there is nothing to take over.
 */
export function takeover(live: Managed, manager: string): readonly ManagedFieldsEntry[] | undefined {
  const foreign = foreignEntries(live, manager);
  if (foreign.length === 0) return undefined;
  const ours = applyEntry(live, manager) ?? {
    manager,
    operation: "Apply",
    apiVersion: live.apiVersion,
    fieldsType: "FieldsV1",
    time: foreign[0]?.time,
  };
  const fieldsV1 = foreign.map(substance).reduce((a, b) => mergeSets(a, b), ours.fieldsV1 ?? {});
  const others = entriesOf(live).flatMap((entry) => {
    if (isOwn(entry, manager)) return [];
    return foreign.includes(entry) ? asideOf(entry) : [entry];
  });
  return [withoutAbsent({ ...ours, fieldsV1 }), ...others];
}

/** Entries that own all of `field` of an object with atomic spec, or anything below it. */
export function ownersOf(live: Managed, field: string): readonly ManagedFieldsEntry[] {
  return entriesOf(live).filter(
    (entry) => entry.subresource === undefined && childSet(entry.fieldsV1 ?? {}, `f:${field}`) !== undefined,
  );
}

function foreignEntries(live: Managed, manager: string): readonly ManagedFieldsEntry[] {
  return entriesOf(live).filter(
    (entry) =>
      !isOwn(entry, manager) &&
      (entry.subresource ?? "") === "" &&
      !PART_OF_THE_CLUSTER.has(entry.manager ?? "") &&
      Object.keys(substance(entry)).length > 0,
  );
}

/** Ours is the Apply entry alone: an update under our name is somebody who borrowed it. */
function isOwn(entry: ManagedFieldsEntry, manager: string): boolean {
  return entry.manager === manager && entry.operation === "Apply" && (entry.subresource ?? "") === "";
}

function substance({ fieldsV1 }: ManagedFieldsEntry): FieldSet {
  return withoutTop(fieldsV1 ?? {}, isAside) ?? {};
}

function asideOf(entry: ManagedFieldsEntry): readonly ManagedFieldsEntry[] {
  const kept = withoutTop(entry.fieldsV1 ?? {}, (key) => !isAside(key));
  return kept === undefined ? [] : [{ ...entry, fieldsV1: kept }];
}
