import { join } from "node:path";
import type { Place } from "../../../source/finding.js";
import { placeOf, scalarAt, type Path } from "../../../source/yaml/node-place.js";
import type { YamlDocument } from "../../../source/yaml/documents.js";
import { asFields, type BuiltObject, type Fields } from "./built-object.js";
import { jsonPatch } from "./json-patch.js";
import type { Kustomization } from "./kustomization.js";
import type { KustomizeFiles } from "./kustomize-files.js";
import { isTarget } from "./patch-target.js";
import { BuildProblem } from "./problem.js";
import { documentsWithin } from "./shifted-document.js";
import { strategicMerge } from "./strategic-merge.js";

/** One entry of a kustomization that changes objects. */
interface Patch {
  readonly documents: readonly YamlDocument[];
  /** Absent: the patch itself names its object. */
  readonly target?: Fields | undefined;
  readonly options: Fields;
  /** Where it is named. */
  readonly place: Place;
}

/** `patches` and `patchesStrategicMerge`, in kustomize's order. Throws BuildProblem. */
export function applyPatches(
  objects: readonly BuiltObject[],
  kustomization: Kustomization,
  files: KustomizeFiles,
): readonly BuiltObject[] {
  const older = listOf(kustomization, "patchesStrategicMerge").map((path) =>
    strategicEntry(kustomization, path, files),
  );
  const patches = listOf(kustomization, "patches").map((path) => entry(kustomization, path, files));
  return [...older, ...patches].reduce(applyPatch, objects);
}

/** `patchesJson6902`, which kustomize applies last. Throws BuildProblem. */
export function applyOldJsonPatches(
  objects: readonly BuiltObject[],
  kustomization: Kustomization,
  files: KustomizeFiles,
): readonly BuiltObject[] {
  return listOf(kustomization, "patchesJson6902")
    .map((path) => entry(kustomization, path, files))
    .reduce(applyPatch, objects);
}

function listOf({ fields }: Kustomization, field: string): readonly Path[] {
  const list = fields[field];
  return Array.isArray(list) ? list.map((_, i) => [field, i]) : [];
}

function entry({ folder, yaml, fields }: Kustomization, path: Path, files: KustomizeFiles): Patch {
  const [field = "", i = 0] = path;
  const written = asFields((fields[field] as readonly unknown[])[Number(i)]) ?? {};
  const place = placeOf(yaml, path);
  const { path: file, patch } = written;
  const documents =
    typeof file === "string"
      ? files.read(join(folder, file), placeOf(yaml, [...path, "path"]))
      : inline(yaml, [...path, "patch"], files);
  if (typeof file !== "string" && typeof patch !== "string")
    throw new BuildProblem(place, "A patch needs a path or a patch.");
  return {
    documents,
    target: asFields(written["target"]),
    options: asFields(written["options"]) ?? {},
    place,
  };
}

/** A path, or the patch itself. */
function strategicEntry({ folder, yaml, fields }: Kustomization, path: Path, files: KustomizeFiles): Patch {
  const [field = "", i = 0] = path;
  const written = (fields[field] as readonly unknown[])[Number(i)];
  const place = placeOf(yaml, path);
  if (typeof written !== "string") throw new BuildProblem(place, "A patch here is a path, or a text.");
  const documents = written.includes("\n")
    ? inline(yaml, path, files)
    : files.read(join(folder, written), place);
  return { documents, options: {}, place };
}

function inline(yaml: YamlDocument, path: Path, files: KustomizeFiles): readonly YamlDocument[] {
  const written = scalarAt(yaml.document, path)?.value;
  if (typeof written === "string" && written.trimStart().startsWith("["))
    mustBeJson(written, placeOf(yaml, path));
  const { documents, findings } = documentsWithin(yaml, path);
  files.findings.push(...findings);
  return documents;
}

/** kustomize takes operations that begin with [ as JSON, not as YAML in brackets. */
function mustBeJson(text: string, place: Place): void {
  try {
    JSON.parse(text);
  } catch {
    throw new BuildProblem(place, "A patch that begins with [ must be JSON, with every name in quotes.");
  }
}

function applyPatch(objects: readonly BuiltObject[], patch: Patch): readonly BuiltObject[] {
  return patch.documents.reduce((now, yaml) => applyDocument(now, patch, yaml), objects);
}

function applyDocument(
  objects: readonly BuiltObject[],
  patch: Patch,
  yaml: YamlDocument,
): readonly BuiltObject[] {
  if (Array.isArray(yaml.value)) {
    applyJson(objects, patch, yaml);
    return objects;
  }
  const fields = asFields(yaml.value);
  if (fields === undefined) throw new BuildProblem(placeOf(yaml, []), "This patch is no map and no list.");
  const targets = new Set(targetsOf(objects, patch, { yaml, fields }));
  const own = withoutIdentity(fields, patch.options);
  return objects.filter((object) => !targets.has(object) || strategicMerge(object, own, { yaml, at: [] }));
}

function applyJson(objects: readonly BuiltObject[], patch: Patch, yaml: YamlDocument): void {
  const { target } = patch;
  if (target === undefined) throw new BuildProblem(patch.place, "A list of operations needs a target.");
  for (const object of objects.filter((each) => isTarget(each, target)))
    try {
      jsonPatch(object, yaml.value as readonly unknown[], { yaml, at: [] });
    } catch (error) {
      throw new BuildProblem(placeOf(yaml, []), error instanceof Error ? error.message : String(error));
    }
}

interface Written {
  readonly yaml: YamlDocument;
  readonly fields: Fields;
}

function targetsOf(
  objects: readonly BuiltObject[],
  { target }: Patch,
  { yaml, fields }: Written,
): readonly BuiltObject[] {
  if (target !== undefined) return objects.filter((object) => isTarget(object, target));
  if (fields["kind"] !== "HarvestSource") return [];
  const { name, namespace = "" } = asFields(fields["metadata"]) ?? {};
  const found = objects.filter(
    (object) =>
      object.apiVersion === fields["apiVersion"] &&
      [...object.names, object.name()].some(
        (id) => id.name === name && nameSpace(id.namespace) === nameSpace(String(namespace)),
      ),
  );
  if (found.length === 1) return found;
  const what = `HarvestSource ${String(name).slice(0, 80)}`;
  const sentence =
    found.length === 0 ? `This patch is for ${what}, which is not there` : `${what} is there more than once`;
  throw new BuildProblem(placeOf(yaml, ["metadata", "name"]), `${sentence}.`);
}

function nameSpace(written: string): string {
  return written === "" ? "default" : written;
}

/** A patch changes neither name nor kind, unless its options say so. */
function withoutIdentity({ apiVersion, kind, metadata, ...fields }: Fields, options: Fields): Fields {
  const { name, namespace, ...others } = asFields(metadata) ?? {};
  const named = options["allowNameChange"] === true ? { name, namespace } : {};
  const kinded = options["allowKindChange"] === true ? { apiVersion, kind } : {};
  const kept = Object.fromEntries(
    Object.entries({ ...others, ...named }).filter(([, value]) => value !== undefined),
  );
  return { ...kinded, ...fields, ...(Object.keys(kept).length === 0 ? {} : { metadata: kept }) };
}
