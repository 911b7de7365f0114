/** Where the API server has a kind, an object, or a part of it. Pure. */
import { ApiFault } from "../api.js";
import { splitKey, type Key } from "../object.js";
import { resourceName, type Resource } from "../resources.js";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** `namespace` absent = all namespaces. Throws ApiFault BadName for one that cannot be. */
export function collectionPath(resource: Resource, namespace: string | undefined, query: Query = {}): string {
  const { group, version, plural } = resource;
  const root = group === "" ? `/api/${segment(version)}` : `/apis/${segment(group)}/${segment(version)}`;
  const place = namespace === undefined || !resource.namespaced ? "" : `/namespaces/${segment(namespace)}`;
  return `${root}${place}/${segment(plural)}${queryText(query)}`;
}

/** Throws ApiFault BadName for a key that cannot be one: nothing was asked. */
export function objectPath(
  resource: Resource,
  key: Key,
  options: { readonly subresource?: string | undefined; readonly query?: Query } = {},
): string {
  const { namespace, name } = splitKey(key);
  if ((namespace !== undefined) !== resource.namespaced)
    throw badName(
      `'${key}' cannot be the key of one of ${resourceName(resource)}: ${resource.namespaced ? "it needs a namespace" : "it has no namespace"}.`,
      resourceName(resource),
    );
  const part = options.subresource === undefined ? "" : `/${segment(options.subresource)}`;
  return `${collectionPath(resource, namespace)}/${segment(name)}${part}${queryText(options.query ?? {})}`;
}

function badName(sentence: string, resource: string): ApiFault {
  return new ApiFault(sentence, { status: 0, reason: "BadName", verb: "address", resource });
}

/** Undefined values are left out. */
function queryText(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)])).toString()}`;
}

/** A dot segment would climb to another object. */
function segment(text: string): string {
  if (text === "" || text === "." || text === ".." || text.includes("/"))
    throw badName(`'${text}' cannot be the name of an object or a namespace.`, "");
  return encodeURIComponent(text);
}
