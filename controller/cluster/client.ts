/** The API server as the loop and the commands see it. */
import {
  ApiFault,
  type Api,
  type ApplyOptions,
  type DeleteOptions,
  type ListOptions,
  type ObjectList,
  type PatchOptions,
} from "../api.js";
import { keyOf, type Key, type KubeObject } from "../object.js";
import type { Resource } from "../resources.js";
import { requestFailed } from "./api-faults.js";
import type { Connection } from "./connection.js";
import type { ApiRequest } from "./exchange.js";
import { objectOf, readPages } from "./pages.js";
import { rawAnswer, type RawAnswer, type RawOptions } from "./raw-answer.js";
import { requestInfo, type Method } from "./request-info.js";
import { collectionPath, objectPath } from "./resource-path.js";
import { createTransport, type Transport, type TransportOptions } from "./transport.js";
import { watchEvents } from "./watch-lines.js";
import type { WatchEvent, WatchOptions, WatchSource } from "./watch-source.js";

/**
 * Besides the contract of Api: a kind the server does not have (its CRD is missing) is never taken for a missing object:
 * `get` throws ApiFault with reason KindNotServed then. A `delete` whose uid is no longer that of the object is success.
 */
export interface ClusterApi extends Api, WatchSource {
  /** Odd calls: /version, logs, reviews. `path` from the API server's root, with its query. Throws ApiFault. */
  raw(method: Method, path: string, options?: RawOptions): Promise<RawAnswer>;
}

/** May be called more than once for a connection: each has its own rate limit, retries and hooks, all share the connections. */
export function createApi(connection: Connection, options: TransportOptions = {}): ClusterApi {
  const transport = createTransport(connection, options);
  const origin = connection.server.origin;

  /** Sends, and takes the answer for an object of the kind. */
  async function object(resource: Resource, request: ApiRequest): Promise<KubeObject> {
    const json = await transport.json(request);
    return told(request, origin, () => objectOf(resource, json));
  }

  return {
    get: async (resource, key) =>
      orAbsent(object(resource, { method: "GET", path: objectPath(resource, key), replayable: true })),
    list: async (resource, wish) => listAll(resource, wish ?? {}, { transport, origin }),
    create: async (resource, made, manager) => object(resource, createRequest(resource, made, manager)),
    apply: async (resource, wanted, how) => object(resource, applyRequest(resource, wanted, how)),
    patch: async (resource, target, change) => object(resource, patchRequest(resource, target, change)),
    delete: async (resource, key, how) => deleteOne(transport, deleteRequest(resource, key, how ?? {})),
    watch: async (resource, wish) => watch(resource, wish, transport),
    raw: async (method, path, wish = {}) =>
      rawAnswer(await transport.stream(rawRequest(method, path, wish)), options.maxBodyBytes),
  };
}

/** What goes wrong in reading an answer is told like any other failure of the request. */
function told<T>(request: Pick<ApiRequest, "method" | "path">, origin: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw requestFailed({ info: requestInfo(request.method, request.path), origin }, error).fault;
  }
}

async function orAbsent(asked: Promise<KubeObject>): Promise<KubeObject | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiFault && error.status === 404 && error.reason !== "KindNotServed")
      return undefined;
    throw error;
  }
}

async function listAll(
  resource: Resource,
  { namespace, labelSelector, fieldSelector, limit }: ListOptions,
  { transport, origin }: { readonly transport: Transport; readonly origin: string },
): Promise<ObjectList> {
  function path(page: { readonly limit?: number; readonly continue?: string }): string {
    const { limit: size, continue: token } = page;
    const query = { labelSelector, fieldSelector, limit: size === 0 ? undefined : size, continue: token };
    return collectionPath(resource, namespace, query);
  }
  try {
    return await readPages(
      resource,
      (page) => transport.json({ method: "GET", path: path(page), replayable: true }),
      limit === undefined ? {} : { limit },
    );
  } catch (error) {
    return told({ method: "GET", path: path({}) }, origin, () => {
      throw error;
    });
  }
}

async function watch(
  resource: Resource,
  wish: WatchOptions,
  transport: Transport,
): Promise<AsyncIterable<WatchEvent>> {
  const { namespace, labelSelector, fieldSelector, resourceVersion, timeoutSeconds } = wish;
  const query = {
    watch: "1",
    allowWatchBookmarks: "true",
    labelSelector,
    fieldSelector,
    resourceVersion,
    timeoutSeconds,
  };
  const answer = await transport.stream({
    method: "GET",
    path: collectionPath(resource, namespace, query),
    // A compressed stream holds events back until a block is full.
    headers: { "accept-encoding": "identity" },
    replayable: true,
    once: true,
    idleMs: 0,
    signal: wish.signal,
  });
  return explained(watchEvents(answer.body, { onBytes: wish.onBytes?.bind(wish) }), answer.explain);
}

async function* explained(
  events: AsyncIterable<WatchEvent>,
  explain: (error: unknown) => Error,
): AsyncGenerator<WatchEvent, void, undefined> {
  try {
    yield* events;
  } catch (error) {
    throw explain(error);
  }
}

const json = { "content-type": "application/json" } as const;

function createRequest(resource: Resource, object: KubeObject, manager: string): ApiRequest {
  const query = { fieldManager: manager, fieldValidation: "Strict" };
  return {
    method: "POST",
    name: object.metadata.name,
    path: collectionPath(resource, object.metadata.namespace, query),
    headers: json,
    body: JSON.stringify(object),
    replayable: false,
  };
}

function applyRequest(resource: Resource, object: KubeObject, options: ApplyOptions): ApiRequest {
  const { manager, force, dryRun, subresource } = options;
  const query = { fieldManager: manager, force, dryRun: dryRun === true ? "All" : undefined };
  return {
    method: "PATCH",
    path: objectPath(resource, keyOf(object), { subresource, query }),
    headers: { "content-type": "application/apply-patch+yaml" },
    body: JSON.stringify(object),
    replayable: true,
  };
}

function patchRequest(
  resource: Resource,
  target: Key,
  change: { readonly body: unknown } & PatchOptions,
): ApiRequest {
  const { type, manager, subresource, dryRun, body } = change;
  const query = { fieldManager: manager, dryRun: dryRun === true ? "All" : undefined };
  return {
    method: "PATCH",
    path: objectPath(resource, target, { subresource, query }),
    headers: { "content-type": type },
    body: JSON.stringify(body),
    // "Add to the list" twice adds two.
    replayable: type !== "application/json-patch+json",
  };
}

/** Without a policy the server would leave the pods of a Job behind (the default of batch/v1 is Orphan). */
function deleteRequest(resource: Resource, key: Key, { uid, propagation }: DeleteOptions): ApiRequest {
  return {
    method: "DELETE",
    path: objectPath(resource, key),
    headers: json,
    body: JSON.stringify({
      kind: "DeleteOptions",
      apiVersion: "v1",
      propagationPolicy: propagation ?? "Background",
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    }),
    replayable: true,
  };
}

async function deleteOne(transport: Transport, request: ApiRequest): Promise<void> {
  try {
    await transport.json(request);
  } catch (error) {
    if (error instanceof ApiFault && (error.status === 404 || isOtherObject(error))) return;
    throw error;
  }
}

/** The object that was meant is gone: another has its name. */
function isOtherObject({ status, detail }: ApiFault): boolean {
  const { message = "" } = (detail.cause ?? {}) as { readonly message?: string };
  return status === 409 && /UID in (the )?precondition/i.test(message);
}

function rawRequest(method: Method, path: string, wish: RawOptions): ApiRequest {
  const { body, headers, signal, idleMs, replayable } = wish;
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  return {
    method,
    path,
    headers: { ...(text === undefined ? {} : json), ...headers },
    ...(text === undefined ? {} : { body: text }),
    replayable: replayable ?? (method === "GET" || method === "HEAD"),
    signal,
    ...(idleMs === undefined ? {} : { idleMs }),
  };
}
