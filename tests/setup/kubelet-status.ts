/** The status of a pod with one container, in each of its states, as a real kubelet writes it. */
import type { Pod, PodCondition } from "./kubelet-types.js";
import { podIP } from "./kubelet-values.js";

export interface Ended {
  readonly exitCode: number;
  /** Completed, Error, OOMKilled. */
  readonly reason: string;
  readonly message: string;
  readonly startedAt: string;
  readonly finishedAt: string;
}

export type ContainerState =
  | { readonly kind: "waiting"; readonly reason: string; readonly message?: string }
  | { readonly kind: "running"; readonly startedAt: string; readonly ready: boolean }
  | ({ readonly kind: "ended" } & Ended);

/** Why the pod as a whole failed, if not by its container's exit: Evicted, DeadlineExceeded. */
export interface PodVerdict {
  readonly reason: string;
  readonly message: string;
  /** A condition DisruptionTarget is added, as for an eviction. */
  readonly disrupted?: boolean;
}

/** Body of a merge patch of /status. `startTime`: when the kubelet took the pod. */
export function statusOf(
  pod: Pod,
  state: ContainerState,
  { startTime, verdict }: { readonly startTime: string; readonly verdict?: PodVerdict | undefined },
): object {
  const phase = verdict === undefined ? phaseOf(state) : "Failed";
  return {
    status: {
      phase,
      startTime,
      hostIP: "127.0.0.1",
      podIP,
      podIPs: [{ ip: podIP }],
      reason: verdict?.reason ?? null,
      message: verdict?.message ?? null,
      conditions: conditionsOf(pod, state, verdict),
      containerStatuses: [containerStatus(pod, state)],
    },
  };
}

function phaseOf(state: ContainerState): string {
  if (state.kind === "waiting") return "Pending";
  if (state.kind === "running") return "Running";
  return state.exitCode === 0 ? "Succeeded" : "Failed";
}

function containerStatus(pod: Pod, state: ContainerState): object {
  const container = pod.spec.containers[0];
  const ready = isReady(state);
  return {
    name: container?.name,
    image: container?.image,
    imageID: state.kind === "waiting" ? "" : `test-kubelet://${container?.image ?? ""}`,
    ...(state.kind === "waiting" ? {} : { containerID: `test-kubelet://${pod.metadata.uid}` }),
    ready,
    started: state.kind === "running",
    restartCount: 0,
    state: stateOf(pod, state),
    lastState: {},
  };
}

function stateOf(pod: Pod, state: ContainerState): object {
  if (state.kind === "waiting")
    return {
      waiting: { reason: state.reason, ...(state.message === undefined ? {} : { message: state.message }) },
    };
  if (state.kind === "running") return { running: { startedAt: state.startedAt } };
  const { exitCode, reason, message, startedAt, finishedAt } = state;
  return {
    terminated: {
      ...{ exitCode, reason, startedAt, finishedAt },
      ...(message === "" ? {} : { message }),
      containerID: `test-kubelet://${pod.metadata.uid}`,
    },
  };
}

function conditionsOf(
  pod: Pod,
  state: ContainerState,
  verdict: PodVerdict | undefined,
): readonly PodCondition[] {
  const now = new Date().toISOString();
  const ours = new Map<string, PodCondition>();
  const set = (type: string, holds: boolean, reason?: string): void => {
    ours.set(type, {
      type,
      status: holds ? "True" : "False",
      lastTransitionTime: now,
      ...(holds || reason === undefined ? {} : { reason }),
    });
  };
  const reason = notReady(state);
  set("PodReadyToStartContainers", state.kind === "running");
  set("Initialized", true);
  set("Ready", isReady(state), reason);
  set("ContainersReady", isReady(state), reason);
  if (verdict?.disrupted === true)
    ours.set("DisruptionTarget", {
      type: "DisruptionTarget",
      status: "True",
      reason: "TerminationByKubelet",
      message: verdict.message,
      lastTransitionTime: now,
    });
  const others = (pod.status?.conditions ?? []).filter(({ type }) => !ours.has(type));
  return [...others, ...ours.values()];
}

function isReady(state: ContainerState): boolean {
  return state.kind === "running" && state.ready;
}

function notReady(state: ContainerState): string {
  if (state.kind !== "ended") return "ContainersNotReady";
  return state.exitCode === 0 ? "PodCompleted" : "PodFailed";
}
