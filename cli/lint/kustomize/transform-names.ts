import { asFields, type BuiltObject } from "./built-object.js";
import type { Kustomization } from "./kustomization.js";

/** Namespace, prefix, suffix, labels and annotations of a kustomization, in kustomize's order. */
export function transformNames(objects: readonly BuiltObject[], kustomization: Kustomization): void {
  for (const object of objects) {
    setNamespace(object, kustomization);
    setName(object, kustomization);
    setLabels(object, kustomization);
    setPairs(object, kustomization, "commonAnnotations");
  }
}

function setNamespace(object: BuiltObject, { fields, yaml }: Kustomization): void {
  const { namespace } = fields;
  if (typeof namespace !== "string" || namespace === "") return;
  object.setMetadata("namespace", namespace, { yaml, at: ["namespace"] });
  object.remember();
}

/** The name stays where it was written: that is where it can be shortened. */
function setName(object: BuiltObject, { fields }: Kustomization): void {
  const { namePrefix, nameSuffix } = fields;
  const prefix = typeof namePrefix === "string" ? namePrefix : "";
  const suffix = typeof nameSuffix === "string" ? nameSuffix : "";
  if (prefix === "" && suffix === "") return;
  object.setMetadata("name", `${prefix}${object.name().name}${suffix}`);
  object.remember();
}

function setLabels(object: BuiltObject, kustomization: Kustomization): void {
  const { fields, yaml } = kustomization;
  const labels = Array.isArray(fields["labels"]) ? fields["labels"] : [];
  for (const [i, entry] of labels.entries())
    for (const pair of Object.entries(asFields(asFields(entry)?.["pairs"]) ?? {}))
      object.setPair("labels", pair, { yaml, at: ["labels", i, "pairs", pair[0]] });
  setPairs(object, kustomization, "commonLabels");
}

function setPairs(
  object: BuiltObject,
  { fields, yaml }: Kustomization,
  field: "commonLabels" | "commonAnnotations",
): void {
  const into = field === "commonLabels" ? "labels" : "annotations";
  for (const pair of Object.entries(asFields(fields[field]) ?? {}))
    object.setPair(into, pair, { yaml, at: [field, pair[0]] });
}
