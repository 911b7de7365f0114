import type { JobFacts } from "./job.js";
import { isOver, type PodFacts, type Waiting } from "./pod.js";

/** What keeps a run from beginning; `at`: when reading again may find trouble that is none yet. */
export interface Trouble {
  readonly sentence?: string;
  readonly at?: Date;
}

/** An image may take a while, and a mount of a missing Secret shows itself only by lasting. */
const SLOW_START_MS = 3 * 60_000;
/** The Job controller makes a pod within a second or two. */
const NO_POD_MS = 60_000;

const startingReasons: ReadonlySet<string> = new Set(["ContainerCreating", "PodInitializing"]);

/** They take turns while the kubelet tries again, with other words each time: one sentence for both, so that it stands still. */
const pullReasons: ReadonlySet<string> = new Set(["ErrImagePull", "ImagePullBackOff"]);

const waitingWords: ReadonlyMap<string, string> = new Map([
  ["InvalidImageName", "The image of its pod has a name that cannot be read"],
  ["ErrImageNeverPull", "The image of its pod is not on the node and may not be pulled"],
  ["CreateContainerConfigError", "The container of its pod cannot be configured"],
  ["CreateContainerError", "The container of its pod cannot be made"],
  ["RunContainerError", "The container of its pod cannot be started"],
]);

/** Of a Job that is under way, and the last of its pods. */
export function troubleOf(job: JobFacts, pod: PodFacts | undefined, now: Date): Trouble {
  if (pod === undefined) return job.suspended ? {} : withoutPod(job, now);
  if (isOver(pod) || pod.started) return {};
  if (pod.unschedulable !== undefined)
    return { sentence: sentence("No node takes its pod", pod.unschedulable) };
  const known = pod.waiting && startTrouble(pod.waiting);
  if (known !== undefined) return { sentence: known };
  return slowStart(pod, now);
}

/** What the kubelet says of a container that waits; undefined when waiting is what it should do. */
export function startTrouble({ reason, message }: Waiting): string | undefined {
  if (pullReasons.has(reason)) return pullTrouble(message);
  const words = waitingWords.get(reason);
  if (words === undefined)
    return startingReasons.has(reason) ? undefined : sentence(`Its pod waits (${reason})`, message);
  return (message === undefined ? undefined : missingObject(message)) ?? sentence(words, message);
}

function pullTrouble(message = ""): string {
  const [, image] = /image "([^"\s]{1,255})"/.exec(message) ?? [];
  return `The image ${image === undefined ? "" : `${image} `}of its pod cannot be pulled (kubectl describe pod says why).`;
}

/** The kubelet's words for what a pod refers to and is not there. */
function missingObject(message: string): string | undefined {
  const missing = /\b(secret|configmap) "([a-z0-9.-]{1,253})" not found/.exec(message);
  if (missing) return `${kindOf(missing[1])} ${missing[2] ?? ""} is missing.`;
  const key = /couldn't find key (\S{1,253}) in (Secret|ConfigMap) (?:[a-z0-9-]+\/)?([a-z0-9.-]{1,253})/.exec(
    message,
  );
  return key ? `${key[2] ?? ""} ${key[3] ?? ""} has no key ${key[1] ?? ""}.` : undefined;
}

function kindOf(word: string | undefined): string {
  return word === "secret" ? "Secret" : "ConfigMap";
}

function slowStart({ name, createdTime }: PodFacts, now: Date): Trouble {
  return lastingSince(createdTime, SLOW_START_MS, {
    now,
    sentence: (since) =>
      `Its pod ${name} has been starting since ${since}: a Secret or ConfigMap it mounts may be missing (kubectl describe pod ${name}).`,
  });
}

function withoutPod({ name, startTime, createdTime }: JobFacts, now: Date): Trouble {
  return lastingSince(startTime ?? createdTime, NO_POD_MS, {
    now,
    sentence: (since) =>
      `Its Job ${name} has had no pod since ${since}: a quota or an admission rule may refuse it (kubectl describe job ${name}).`,
  });
}

interface Lasting {
  readonly now: Date;
  readonly sentence: (since: string) => string;
}

function lastingSince(since: string | undefined, patienceMs: number, lasting: Lasting): Trouble {
  if (since === undefined) return {};
  const at = new Date(Date.parse(since) + patienceMs);
  return at > lasting.now ? { at } : { sentence: lasting.sentence(since) };
}

function sentence(words: string, detail: string | undefined): string {
  if (detail === undefined) return `${words}.`;
  return /[.!?…]$/.test(detail) ? `${words}: ${detail}` : `${words}: ${detail}.`;
}
