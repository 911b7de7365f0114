/** What the loop asks of the API server. Implemented by controller/cluster/ alone. */
import type { JsonObject, Key, KubeObject } from "./object.js";
import type { Resource } from "./resources.js";

export interface ListOptions {
  /** Absent = all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Objects a page; absent = the implementation's page size. All pages are read. */
  readonly limit?: number;
}

export interface ObjectList {
  readonly items: readonly KubeObject[];
  /** Where a watch goes on from. */
  readonly resourceVersion: string;
}

export interface ApplyOptions {
  readonly manager: string;
  /** Take fields from other managers; a controller does. */
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly subresource?: "status";
}

export type PatchType =
  "application/json-patch+json" | "application/merge-patch+json" | "application/strategic-merge-patch+json";

export interface PatchOptions {
  readonly type: PatchType;
  readonly manager: string;
  readonly subresource?: "status";
  readonly dryRun?: boolean;
}

export interface DeleteOptions {
  /** Deleted only if it still is this object. */
  readonly uid?: string;
  readonly propagation?: "Background" | "Foreground" | "Orphan";
}

/**
 * Every method throws ApiFault for an answer that is no success, after the retries that are safe. `get` answers undefined
 * for 404. Objects are raw JSON both ways.
 */
export interface Api {
  get(resource: Resource, key: Key): Promise<KubeObject | undefined>;
  list(resource: Resource, options?: ListOptions): Promise<ObjectList>;
  /** Throws ApiFault 409 AlreadyExists when it is there. `fieldValidation=Strict`. */
  create(resource: Resource, object: KubeObject, manager: string): Promise<KubeObject>;
  /** Server-side apply. */
  apply(resource: Resource, object: KubeObject, options: ApplyOptions): Promise<KubeObject>;
  patch(
    resource: Resource,
    target: Key,
    change: { readonly body: JsonObject | readonly JsonObject[] } & PatchOptions,
  ): Promise<KubeObject>;
  /** Not there (any more) is success. */
  delete(resource: Resource, key: Key, options?: DeleteOptions): Promise<void>;
}

export interface ApiFaultDetail {
  /** HTTP status; 0 = the server could not be reached. */
  readonly status: number;
  /** Status.reason: AlreadyExists, Conflict, Forbidden, Invalid, NotFound, Expired, ... or a network code. */
  readonly reason: string;
  readonly verb: string;
  /** As RBAC names it, e.g. cronjobs.batch. */
  readonly resource: string;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** An answer of the API server that is no success, or no answer at all (`status` 0). */
export class ApiFault extends Error {
  override readonly name = "ApiFault";
  readonly detail: ApiFaultDetail;

  /** `message` is for people: verb and resource, what the server said, what to do next. */
  constructor(message: string, detail: ApiFaultDetail) {
    super(message, { cause: detail.cause });
    this.detail = detail;
  }

  get status(): number {
    return this.detail.status;
  }

  get reason(): string {
    return this.detail.reason;
  }
}

/** One object of a kind as the cache holds it; never changed by anybody. */
export interface Lister {
  get(key: Key): KubeObject | undefined;
  /** Sorted by key; `namespace` absent = all. */
  list(namespace?: string): readonly KubeObject[];
  /** Those a HarvestSource (by uid) owns, sorted by key. */
  ownedBy(uid: string): readonly KubeObject[];
}
