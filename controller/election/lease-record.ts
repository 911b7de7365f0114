/** The Lease of coordination.k8s.io/v1 as raw JSON, and what an elector reads and writes of it. */
import type { JsonObject, KubeObject } from "../object.js";

/** Who leads, as the lease says it. Times are those of the holder's clock: compared for change, never with ours. */
export interface LeaseRecord {
  /** "" = given back. */
  readonly holder: string;
  /** How long the holder claims it after each renewal; 0 when the lease does not say. */
  readonly durationSeconds: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly transitions: number;
}

/** A lease as it was read: the record, and the version a write must name to be the next one. */
export interface ReadLease {
  readonly record: LeaseRecord;
  readonly resourceVersion: string;
}

/** Anybody with the right may write a lease: what is not as it should be reads as if it were not there. */
export function readLease(object: KubeObject): ReadLease {
  const spec = isObject(object["spec"]) ? object["spec"] : {};
  return {
    record: {
      holder: text(spec["holderIdentity"]),
      durationSeconds: count(spec["leaseDurationSeconds"]),
      acquireTime: text(spec["acquireTime"]),
      renewTime: text(spec["renewTime"]),
      transitions: count(spec["leaseTransitions"]),
    },
    resourceVersion: text(object.metadata.resourceVersion),
  };
}

/** True when nobody has touched the record between the two readings. */
export function sameRecord(a: LeaseRecord, b: LeaseRecord): boolean {
  return (
    a.holder === b.holder &&
    a.renewTime === b.renewTime &&
    a.acquireTime === b.acquireTime &&
    a.durationSeconds === b.durationSeconds &&
    a.transitions === b.transitions
  );
}

/** metav1.MicroTime: exactly six digits of fraction, or the API server refuses the lease and nobody ever leads. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}

export function specOf(record: LeaseRecord): JsonObject {
  return {
    holderIdentity: record.holder,
    leaseDurationSeconds: record.durationSeconds,
    acquireTime: record.acquireTime,
    renewTime: record.renewTime,
    leaseTransitions: record.transitions,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0;
}
