import { instantOf } from "../bounded-text.js";
import { annotations } from "../names.js";
import type { KubeObject } from "../object.js";
import { fieldsOf, listOf, textOf, type Fields } from "./json.js";
import { exitCodeOf } from "./termination-message.js";

/** What matters of a Pod. */
export interface PodFacts {
  readonly name: string;
  readonly createdTime?: string;
  readonly phase?: string;
  /** Evicted, NodeLost, DeadlineExceeded, ...; else why it was disrupted. */
  readonly reason?: string;
  readonly bundleDigest?: string;
  /** How its container ended. */
  readonly terminated?: Terminated;
  /** Why its container waits. */
  readonly waiting?: Waiting;
  /** What the scheduler says when no node takes it. */
  readonly unschedulable?: string;
  readonly started: boolean;
}

export interface Terminated {
  readonly exitCode?: number;
  readonly reason?: string;
  readonly message?: unknown;
}

export interface Waiting {
  readonly reason: string;
  readonly message?: string;
}

const MAX_CONTAINERS = 16;

export function podFacts(pod: KubeObject): PodFacts {
  const status = fieldsOf(pod["status"]);
  const states = containersOf(status).map(({ state }) => fieldsOf(state));
  const conditions = listOf(status["conditions"], 32);
  return {
    name: pod.metadata.name,
    createdTime: instantOf(pod.metadata.creationTimestamp),
    phase: textOf(status["phase"], 32),
    reason: textOf(status["reason"], 64) ?? disruptionOf(conditions),
    bundleDigest: textOf(pod.metadata.annotations?.[annotations.bundleDigest], 64),
    terminated: states.flatMap(({ terminated }) => terminatedOf(terminated)).at(-1),
    waiting: states.flatMap(({ waiting }) => waitingOf(waiting)).at(0),
    unschedulable: unschedulableOf(conditions),
    started: states.some(({ running }) => running !== undefined),
  };
}

/** Has it come to its end? */
export function isOver({ phase }: PodFacts): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/** Init containers first, so that the harvester's own word is the last; one that ended well says nothing. */
function containersOf(status: Fields): readonly Fields[] {
  const init = listOf(status["initContainerStatuses"], MAX_CONTAINERS).filter(
    ({ state }) => fieldsOf(fieldsOf(state)["terminated"])["exitCode"] !== 0,
  );
  return [...init, ...listOf(status["containerStatuses"], MAX_CONTAINERS)];
}

function terminatedOf(value: unknown): readonly Terminated[] {
  if (value === undefined || value === null) return [];
  const { exitCode, reason, message } = fieldsOf(value);
  return [{ exitCode: exitCodeOf(exitCode), reason: textOf(reason, 64), message }];
}

function waitingOf(value: unknown): readonly Waiting[] {
  const { reason, message } = fieldsOf(value);
  const why = textOf(reason, 64);
  return why === undefined ? [] : [{ reason: why, message: textOf(message, 300) }];
}

function unschedulableOf(conditions: readonly Fields[]): string | undefined {
  const found = conditions.find(
    ({ type, status, reason }) => type === "PodScheduled" && status === "False" && reason === "Unschedulable",
  );
  return found && (textOf(found["message"], 300) ?? "no node fits");
}

/** The scheduler, a taint or the eviction API ended it (KEP-3329): the condition's reason says who. */
function disruptionOf(conditions: readonly Fields[]): string | undefined {
  const found = conditions.some(({ type, status }) => type === "DisruptionTarget" && status === "True");
  return found ? "Evicted" : undefined;
}
