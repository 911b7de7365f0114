/** One pod on the test kubelet: a state machine that is advanced each tick and writes what the API server should know. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Http } from "./cluster-http.js";
import { startReaped, type ReapedProcess } from "./cluster-process.js";
import { resolveContainer, rewriter } from "./kubelet-env.js";
import { layOutVolume } from "./kubelet-files.js";
import { answersProbe } from "./kubelet-probe.js";
import { statusOf, type ContainerState, type PodVerdict } from "./kubelet-status.js";
import { CannotCreate, type Container, type Pod, type VolumeMount } from "./kubelet-types.js";

/** What happens to the next container instead of its command. */
export type NextFailure =
  | { readonly exitCode: number; readonly reason?: string; readonly message?: string }
  | { readonly waiting: string; readonly message?: string };

export interface PodPremises {
  readonly http: Http;
  readonly node: string;
  /** Folder of this pod alone. */
  readonly folder: string;
  readonly repositoryRoot: string;
  /** Set over the container's own variables, for what only a test needs. */
  readonly extraEnv: Readonly<Record<string, string>>;
  readonly image: { readonly entrypoint: readonly string[]; readonly env: Readonly<Record<string, string>> };
  /** Takes the failure a test asked for, if it did for this pod. */
  takeFailure(podName: string): NextFailure | undefined;
}

const MAX_MESSAGE_BYTES = 4096;
const MAX_FALLBACK_BYTES = 2048;

export class PodRun {
  state: ContainerState = { kind: "waiting", reason: "ContainerCreating" };
  /** Its standard output and standard error. */
  readonly log: string;
  private pod: Pod;
  private readonly premises: PodPremises;
  private readonly startTime = new Date().toISOString();
  private readonly said = new Set<string>();
  private process: ReapedProcess | undefined;
  private verdict: PodVerdict | undefined;
  private killAt: number | undefined;
  private reported = "";
  private held = false;

  constructor(pod: Pod, premises: PodPremises) {
    this.pod = pod;
    this.premises = premises;
    mkdirSync(premises.folder, { recursive: true });
    this.log = join(premises.folder, "container.log");
    writeFileSync(this.log, "");
  }

  get name(): string {
    return this.pod.metadata.name;
  }

  get namespace(): string {
    return this.pod.metadata.namespace;
  }

  get pid(): number | undefined {
    return this.state.kind === "running" ? this.process?.pid : undefined;
  }

  /** One step from where it stands; `pod` as the API server has it now. Rejects when the server cannot be reached. */
  async advance(pod: Pod): Promise<void> {
    this.pod = pod;
    const deleted = pod.metadata.deletionTimestamp !== undefined;
    if (deleted) this.terminate(pod.metadata.deletionGracePeriodSeconds ?? 30);
    else if (this.state.kind === "waiting" && !this.held) await this.start();
    this.checkDeadline();
    await this.probe();
    if (this.killAt !== undefined && Date.now() >= this.killAt) this.process?.signal("KILL");
    await this.report();
    if (deleted && this.state.kind === "ended") await this.deleteForGood();
  }

  /** Ready is whoever names no probe. */
  private async probe(): Promise<void> {
    const { readinessProbe } = onlyContainer(this.pod);
    if (this.state.kind !== "running" || readinessProbe === undefined) return;
    const ready = await answersProbe(onlyContainer(this.pod));
    if (this.state.kind === "running") this.state = { ...this.state, ready };
  }

  /** As the node's own eviction: the pod has failed, and its condition says that it was disrupted. */
  evict(message = "The node was low on resource: memory."): void {
    this.verdict = { reason: "Evicted", message, disrupted: true };
    this.terminate(0);
  }

  /** Ends the process, and says nothing to anybody. */
  async abandon(): Promise<void> {
    this.held = true;
    await this.process?.stop(0);
  }

  private terminate(graceSeconds: number): void {
    if (this.state.kind === "waiting") this.end({ exitCode: 137, reason: "ContainerStatusUnknown" });
    if (this.state.kind !== "running" || this.killAt !== undefined) return;
    this.process?.signal("TERM");
    this.killAt = Date.now() + graceSeconds * 1000;
  }

  private checkDeadline(): void {
    const seconds = this.pod.spec.activeDeadlineSeconds;
    if (seconds === undefined || this.state.kind === "ended" || this.verdict !== undefined) return;
    if (Date.now() < Date.parse(this.startTime) + seconds * 1000) return;
    const message = "Pod was active on the node longer than the specified deadline";
    this.verdict = { reason: "DeadlineExceeded", message };
    this.terminate(this.pod.spec.terminationGracePeriodSeconds ?? 30);
  }

  private async start(): Promise<void> {
    const failure = this.premises.takeFailure(this.name);
    if (failure !== undefined) {
      this.fail(failure);
      return;
    }
    try {
      await this.run();
    } catch (problem) {
      if (!(problem instanceof CannotCreate)) throw problem;
      this.state = { kind: "waiting", reason: problem.reason };
      if (problem.reason !== "ContainerCreating") this.state = { ...this.state, message: problem.message };
      await this.tell(problem.reason === "ContainerCreating" ? "FailedMount" : "Failed", problem.message);
    }
  }

  private fail(failure: NextFailure): void {
    if ("exitCode" in failure) {
      this.end(failure);
      return;
    }
    this.held = true;
    this.state = { kind: "waiting", reason: failure.waiting };
    if (failure.message !== undefined) this.state = { ...this.state, message: failure.message };
  }

  private async run(): Promise<void> {
    const { http, image, repositoryRoot, extraEnv } = this.premises;
    const container = onlyContainer(this.pod);
    const root = join(this.premises.folder, "root");
    const mounts = await this.mount(container, root);
    const rewrite = rewriter([...mounts, messagePath(container)], { root, app: repositoryRoot });
    const { command, env } = await resolveContainer(container, { http, pod: this.pod, rewrite, image });
    const [program = "", ...args] = command;
    mkdirSync(join(root, dirname(messagePath(container))), { recursive: true });
    writeFileSync(join(root, messagePath(container)), "");
    const startedAt = new Date().toISOString();
    const child = await startReaped(basename(program) === "node" ? process.execPath : program, args, {
      log: this.log,
      cwd: container.workingDir === undefined ? root : rewrite(container.workingDir),
      env: { ...surroundings(this.pod, root), ...env, ...extraEnv },
    });
    this.process = child;
    this.state = { kind: "running", startedAt, ready: container.readinessProbe === undefined };
    void child.exited.then(() => {
      const exitCode = child.exitCode() ?? 255;
      this.end({ exitCode, message: this.messageOf(container, exitCode) }, startedAt);
    });
  }

  /** A volume lies where it is mounted first; where it is mounted again, or by a part, there is a link. */
  private async mount(container: Container, root: string): Promise<readonly string[]> {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root, { recursive: true });
    const laid = new Map<string, string>();
    const mounts = (container.volumeMounts ?? []).toSorted((a, b) => a.mountPath.length - b.mountPath.length);
    for (const mount of mounts) await this.mountOne(mount, { root, laid });
    return mounts.map(({ mountPath }) => mountPath.replace(/\/+$/, ""));
  }

  private async mountOne(
    { name, mountPath, subPath }: VolumeMount,
    { root, laid }: { readonly root: string; readonly laid: Map<string, string> },
  ): Promise<void> {
    const volume = this.pod.spec.volumes?.find((one) => one.name === name);
    if (volume === undefined) throw new Error(`${this.name}: no volume ${name}, which the API server checks`);
    const target = join(root, mountPath);
    mkdirSync(dirname(target), { recursive: true });
    const known = laid.get(name);
    const folder = known ?? (subPath === undefined ? target : join(root, "../volumes", name));
    laid.set(name, folder);
    if (known === undefined) {
      rmSync(join(root, "../volumes", name), { recursive: true, force: true });
      await layOutVolume(this.premises.http, this.pod, { volume, folder });
    }
    if (folder !== target) symlinkSync(join(folder, subPath ?? ""), target);
  }

  private end(
    { exitCode, reason, message }: { exitCode: number; reason?: string; message?: string },
    startedAt = new Date().toISOString(),
  ): void {
    const plain = exitCode === 0 ? "Completed" : "Error";
    const finishedAt = new Date().toISOString();
    this.state = {
      kind: "ended",
      exitCode,
      reason: reason ?? plain,
      message: message ?? "",
      startedAt,
      finishedAt,
    };
  }

  private messageOf(container: Container, exitCode: number): string {
    const file = join(this.premises.folder, "root", messagePath(container));
    const said = existsSync(file) ? lastBytes(file, MAX_MESSAGE_BYTES) : "";
    if (said !== "" || exitCode === 0 || container.terminationMessagePolicy !== "FallbackToLogsOnError")
      return said;
    return lastBytes(this.log, MAX_FALLBACK_BYTES);
  }

  private async report(): Promise<void> {
    const verdict = this.state.kind === "ended" ? this.verdict : undefined;
    const wish = JSON.stringify([this.state, verdict]);
    if (wish === this.reported) return;
    const body = {
      metadata: { uid: this.pod.metadata.uid },
      ...statusOf(this.pod, this.state, { startTime: this.startTime, verdict }),
    };
    await this.patch("/status", body);
    this.reported = wish;
  }

  /** Deleted behind the backs of all: no status, no finalizer. */
  async vanish(): Promise<void> {
    await this.abandon();
    await this.patch("", { metadata: { uid: this.pod.metadata.uid, finalizers: null } });
    await this.deleteForGood();
  }

  private async deleteForGood(): Promise<void> {
    const { http } = this.premises;
    const body = { gracePeriodSeconds: 0, preconditions: { uid: this.pod.metadata.uid } };
    accepted(await http("DELETE", this.path(), { body }), [404, 409]);
  }

  private async patch(subresource: string, body: object): Promise<void> {
    const { http } = this.premises;
    const type = "application/merge-patch+json";
    accepted(await http("PATCH", `${this.path()}${subresource}`, { body, type }), [404, 409]);
  }

  /** One Event for each different sentence. */
  private async tell(reason: string, message: string): Promise<void> {
    if (this.said.has(message)) return;
    this.said.add(message);
    const { name, namespace, uid } = this.pod.metadata;
    const now = new Date().toISOString();
    const body = {
      metadata: { generateName: `${name}.`, namespace },
      involvedObject: { apiVersion: "v1", kind: "Pod", name, namespace, uid },
      ...{ reason, message, type: "Warning", count: 1, firstTimestamp: now, lastTimestamp: now },
      source: { component: "kubelet", host: this.premises.node },
    };
    await this.premises.http("POST", `/api/v1/namespaces/${namespace}/events`, { body });
  }

  private path(): string {
    return `/api/v1/namespaces/${this.namespace}/pods/${this.name}`;
  }
}

/** A real kubelet runs them all; nothing of ours has more than one. */
function onlyContainer({ metadata, spec }: Pod): Container {
  const [first, ...more] = [...(spec.initContainers ?? []), ...spec.containers];
  if (first === undefined || more.length > 0)
    throw new Error(`${metadata.name}: the test kubelet runs pods with one container only.`);
  return first;
}

function messagePath(container: Container): string {
  return container.terminationMessagePath ?? "/dev/termination-log";
}

/** What a container finds without asking for it. */
function surroundings(pod: Pod, root: string): Readonly<Record<string, string>> {
  return { PATH: process.env["PATH"] ?? "", HOSTNAME: pod.metadata.name, HOME: root, TZ: "UTC" };
}

function lastBytes(file: string, limit: number): string {
  const bytes = readFileSync(file);
  return bytes.subarray(Math.max(0, bytes.length - limit)).toString("utf8");
}

function accepted({ status, text }: { status: number; text: string }, also: readonly number[]): void {
  if (status < 300 || also.includes(status)) return;
  throw new Error(`The test kubelet was answered ${String(status)}: ${text.slice(0, 500)}`);
}
