import { linearMatch } from "../../../source/cel/linear-match.js";
import { asFields, type BuiltObject, type Fields } from "./built-object.js";

/** Does kustomize apply a patch with this target to this object? Every field of the target must fit. */
export function isTarget(object: BuiltObject, target: Fields): boolean {
  const [group = "", version = ""] = splitVersion(object.apiVersion);
  const { labels, annotations } = object.metadata;
  return (
    fits(target["group"], [group]) &&
    fits(target["version"], [version]) &&
    fits(target["kind"], [object.kind]) &&
    fitsName(object, target) &&
    selects(target["labelSelector"], asFields(labels) ?? {}) &&
    selects(target["annotationSelector"], asFields(annotations) ?? {})
  );
}

function splitVersion(apiVersion: string): readonly string[] {
  return apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
}

/** Any of its names, with the namespace of that time. */
function fitsName(object: BuiltObject, target: Fields): boolean {
  return [...object.names, object.name()].some(
    ({ name, namespace }) => fits(target["name"], [name]) && fits(target["namespace"], [namespace]),
  );
}

/** An anchored regular expression, in Go's syntax and Go's linear time; absent fits everything. */
function fits(pattern: unknown, values: readonly string[]): boolean {
  if (typeof pattern !== "string" || pattern === "") return true;
  try {
    return values.some((value) => linearMatch(value, `^(?:${pattern})$`));
  } catch {
    return false;
  }
}

/** Comma-separated requirements on labels: a=b, a!=b, a, !a, a in (b,c), a notin (b,c). */
function selects(selector: unknown, labels: Fields): boolean {
  if (typeof selector !== "string" || selector.trim() === "") return true;
  const requirements = selector.slice(0, 1000).split(/,(?![^(]*\))/);
  return requirements.every((requirement) => holds(requirement.trim(), labels));
}

function holds(requirement: string, labels: Fields): boolean {
  const set = /^(\S+) +(in|notin) *\(([^)]*)\)$/.exec(requirement);
  if (set !== null) {
    const [, key = "", how, list = ""] = set;
    const values = list.split(",").map((value) => value.trim());
    return isOneOf(labels, key, values) === (how === "in");
  }
  const equal = /^([^=! ]+) *(!=|==|=) *(.*)$/.exec(requirement);
  if (equal !== null) {
    const [, key = "", how, value = ""] = equal;
    return isOneOf(labels, key, [value.trim()]) === (how !== "!=");
  }
  return requirement.startsWith("!")
    ? !Object.hasOwn(labels, requirement.slice(1).trim())
    : Object.hasOwn(labels, requirement);
}

function isOneOf(labels: Fields, key: string, values: readonly string[]): boolean {
  return Object.hasOwn(labels, key) && values.includes(String(labels[key]));
}
