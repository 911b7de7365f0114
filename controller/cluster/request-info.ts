/** What a request is about, in the words RBAC uses; read from method and path as the API server does it. Pure. */
export interface RequestInfo {
  /** get, list, watch, create, update, patch, delete, deletecollection; for what is no resource the method in small letters. */
  readonly verb: string;
  /** `cronjobs.batch`, `pods/log`, `harvestsources.ingest.geoportal.io/status`; the path itself for what is no resource. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** `path`: from the API server's root, may carry a query. */
export function requestInfo(method: Method, path: string): RequestInfo {
  const [plain = "", query = ""] = path.split("?", 2);
  const parts = plain.split("/").filter((part) => part !== "");
  const group = groupOf(parts);
  if (group === undefined) return { verb: method.toLowerCase(), resource: plain };
  const { namespace, plural, name, subresource } = placeOf(group.rest);
  if (plural === undefined) return { verb: method.toLowerCase(), resource: plain };
  const kind = group.name === "" ? plural : `${plural}.${group.name}`;
  return {
    verb: verbOf(method, { named: name !== undefined, watch: watches(query) }),
    resource: subresource === undefined ? kind : `${kind}/${subresource}`,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

/** "patch cronjobs.batch y/x", for sentences. */
export function describeRequest({ verb, resource, namespace, name }: RequestInfo): string {
  const place = [namespace, name].filter((part) => part !== undefined).join("/");
  if (place === "") return `${verb} ${resource}`;
  return name === undefined ? `${verb} ${resource} in namespace ${place}` : `${verb} ${resource} ${place}`;
}

function groupOf(parts: readonly string[]): { name: string; rest: readonly string[] } | undefined {
  if (parts[0] === "api" && parts.length > 2) return { name: "", rest: parts.slice(2) };
  if (parts[0] === "apis" && parts.length > 3) return { name: parts[1] ?? "", rest: parts.slice(3) };
  return undefined;
}

interface Place {
  readonly namespace?: string | undefined;
  readonly plural: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The parts of a namespace itself; anything else below `namespaces/x` is a kind in it. */
const OF_NAMESPACES = new Set(["status", "finalize"]);

function placeOf(rest: readonly string[]): Place {
  const parts = rest.map(decoded);
  const [first, second, third] = parts;
  if (first === "namespaces" && third !== undefined && !OF_NAMESPACES.has(third))
    return { namespace: second, plural: third, name: parts[3], subresource: parts[4] };
  return { plural: first, name: second, subresource: third };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function watches(query: string): boolean {
  return /^(true|1)$/.test(new URLSearchParams(query).get("watch") ?? "");
}

function verbOf(method: Method, { named, watch }: { named: boolean; watch: boolean }): string {
  switch (method) {
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return named ? "delete" : "deletecollection";
    case "GET":
    case "HEAD":
      if (watch) return "watch";
      return named ? "get" : "list";
  }
}
