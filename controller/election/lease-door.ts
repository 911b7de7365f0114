/** The one lease on the API server. Every write names the version it follows, so that of two writers one is refused. */
import { apiVersionOf, resources } from "../resources.js";
import { ApiFault, type Api } from "../api.js";
import type { Clock } from "../clock.js";
import { manager } from "../names.js";
import { readLease, specOf, type LeaseRecord, type ReadLease } from "./lease-record.js";

export type LeaseApi = Pick<Api, "get" | "create" | "patch">;

export interface LeaseDoorOptions {
  readonly api: LeaseApi;
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  /** No call is waited for any longer, in ms: its late answer counts for nothing. */
  readonly patienceMs: number;
}

export class LeaseDoor {
  readonly #options: LeaseDoorOptions;

  constructor(options: LeaseDoorOptions) {
    this.#options = options;
  }

  async read(): Promise<ReadLease | undefined> {
    const { api, namespace, name } = this.#options;
    const object = await this.#inTime("get", api.get(resources.lease, `${namespace}/${name}`));
    return object === undefined ? undefined : readLease(object);
  }

  /** Writes the record as the successor of `from`, or as the first. Throws ApiFault 409 when somebody was faster. */
  async write(record: LeaseRecord, from: ReadLease | undefined): Promise<ReadLease> {
    return readLease(
      from === undefined
        ? await this.#inTime("create", this.#create(record))
        : await this.#inTime("patch", this.#replace(record, from)),
    );
  }

  #create(record: LeaseRecord): ReturnType<LeaseApi["create"]> {
    const { api, namespace, name } = this.#options;
    const metadata = { name, namespace };
    const object = {
      apiVersion: apiVersionOf(resources.lease),
      kind: resources.lease.kind,
      metadata,
      spec: specOf(record),
    };
    return api.create(resources.lease, object, manager);
  }

  #replace(record: LeaseRecord, from: ReadLease): ReturnType<LeaseApi["patch"]> {
    const { api, namespace, name } = this.#options;
    return api.patch(resources.lease, `${namespace}/${name}`, {
      type: "application/merge-patch+json",
      manager,
      body: { metadata: { resourceVersion: from.resourceVersion }, spec: specOf(record) },
    });
  }

  #inTime<T>(verb: string, call: Promise<T>): Promise<T> {
    const { clock, patienceMs, name, namespace } = this.#options;
    return new Promise((resolve, reject) => {
      const cancel = clock.after(patienceMs, () => {
        const seconds = String(patienceMs / 1000);
        const message = `${verb} of lease ${namespace}/${name}: no answer in ${seconds} s. It is tried again.`;
        reject(
          new ApiFault(message, {
            status: 0,
            reason: "Timeout",
            verb,
            resource: "leases.coordination.k8s.io",
          }),
        );
      });
      call.then(resolve, reject).finally(cancel);
    });
  }
}
