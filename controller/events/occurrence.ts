/** What a recorder is told, and the Event of core/v1 it makes of it. */
import { createHash } from "node:crypto";
import type { KubeObject } from "../object.js";

export type EventType = "Normal" | "Warning";

export interface Occurrence {
  /** What it is about; its namespace is the event's. */
  readonly object: Pick<KubeObject, "apiVersion" | "kind" | "metadata">;
  readonly type: EventType;
  /** CamelCase, specific, from a fixed vocabulary. */
  readonly reason: string;
  /** A sentence for people; longer than 1,024 bytes it is cut. */
  readonly message: string;
}

/** Who reports. */
export interface Reporter {
  /** e.g. harvest-controller. */
  readonly component: string;
  /** This process, e.g. the pod's name. */
  readonly instance: string;
}

/** The state an event is to have on the server; the same name is the same event. */
export interface EventState {
  readonly namespace: string;
  readonly name: string;
  readonly object: Occurrence["object"];
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  /** Ms since 1970. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Limit of the API server for an event's message, in bytes. */
const MAX_MESSAGE_BYTES = 1024;
const MAX_NAME = 253;
const MAX_INSTANCE = 128;

/** Where events about things without a namespace live. */
const NAMESPACE_OF_THE_REST = "default";

export function namespaceOf({ metadata }: Occurrence["object"]): string {
  return metadata.namespace ?? NAMESPACE_OF_THE_REST;
}

/** Whole characters only: half a one is no UTF-8, and the server refuses the event. */
export function boundedMessage(message: string): string {
  if (Buffer.byteLength(message) <= MAX_MESSAGE_BYTES) return message;
  const room = MAX_MESSAGE_BYTES - Buffer.byteLength("…");
  const kept = new TextDecoder().decode(Buffer.from(message).subarray(0, room), { stream: true });
  return `${kept}…`;
}

/**
 * The object's name and a hash of what happened and when it first did: sent twice it is still one event, and another process
 * or another time makes another.
 */
export function eventName({ object, type, reason, message }: Occurrence, firstAt: number): string {
  const identity = [
    object.kind,
    namespaceOf(object),
    object.metadata.name,
    object.metadata.uid ?? "",
    type,
    reason,
    message,
  ];
  const hash = createHash("sha256")
    .update(JSON.stringify([...identity, firstAt]))
    .digest("hex")
    .slice(0, 16);
  const stem = object.metadata.name.slice(0, MAX_NAME - hash.length - 1).replace(/[^a-z0-9]+$/, "");
  return `${stem}.${hash}`;
}

/** With the fields `kubectl describe` and `kubectl get events` look for. */
export function eventObject(state: EventState, { component, instance }: Reporter): KubeObject {
  const { object } = state;
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const place = namespace === undefined ? {} : { namespace };
  const involvedObject = {
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...place,
    name,
    uid,
    resourceVersion,
  };
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: state.name, namespace: state.namespace },
    involvedObject,
    type: state.type,
    reason: state.reason,
    source: { component },
    reportingComponent: component,
    reportingInstance: instance.slice(0, MAX_INSTANCE),
    firstTimestamp: seconds(state.firstAt),
    ...changing(state),
  };
}

/** What differs between two states of one event. */
export function changing({ message, count, lastAt }: EventState): {
  readonly message: string;
  readonly count: number;
  readonly lastTimestamp: string;
} {
  return { message, count, lastTimestamp: seconds(lastAt) };
}

/** metav1.Time has whole seconds. */
function seconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}
