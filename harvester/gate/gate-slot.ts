/** One place in the pool: a gate thread, the jobs it has been given, and its replacement when it stalls, dies or has grown. */
import { Worker } from "node:worker_threads";
import { Fault } from "../fault.js";
import type { Verdict } from "../record.js";
import { crashVerdict, deadlineVerdict } from "./engine-verdict.js";
import type { GateJob, GatePolicy } from "./gate.js";
import type { FromThread, ThreadStart, ToThread } from "./thread-messages.js";

export interface PendingJob {
  readonly job: GateJob;
  readonly settle: (verdict: Verdict) => void;
  readonly fail: (fault: Fault) => void;
  /** Threads it has crashed so far. */
  crashes: number;
}

export interface SlotSettings {
  readonly policy: GatePolicy;
  readonly threadUrl: URL;
  readonly execArgv: readonly string[] | undefined;
  /** Records after which a thread is replaced: the engine's memory never shrinks. */
  readonly recycleAfter: number;
  /** A record above this size has the thread replaced at once after it. */
  readonly largeRecordBytes: number;
  readonly heapMegabytes: number;
}

/** What a slot needs of the pool. */
export interface SlotOwner {
  take(): PendingJob | undefined;
  giveBack(jobs: readonly PendingJob[]): void;
  broken(fault: Fault): void;
}

/** One at work and one on the table, so that the thread never waits for the main thread. */
const IN_FLIGHT = 2;

export class GateSlot {
  private readonly settings: SlotSettings;
  private readonly owner: SlotOwner;
  private worker: Worker | undefined;
  private ready = false;
  private given: PendingJob[] = [];
  private deadline: NodeJS.Timeout | undefined;
  private served = 0;
  private retiring = false;

  constructor(settings: SlotSettings, owner: SlotOwner) {
    this.settings = settings;
    this.owner = owner;
  }

  /** Starts a thread; settled when it has compiled the policy. Rejects with Fault `config` when it cannot. */
  start(): Promise<void> {
    const { policy, threadUrl, execArgv, heapMegabytes } = this.settings;
    const start: ThreadStart = { role: "harvest-gate", policy };
    const worker = new Worker(threadUrl, {
      workerData: start,
      // What libxml2 prints of its own accord goes nowhere: everything of use is in the verdict.
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
      ...(execArgv !== undefined && { execArgv: [...execArgv] }),
    });
    worker.stderr.resume();
    this.worker = worker;
    this.ready = false;
    this.served = 0;
    this.retiring = false;
    return new Promise((resolve, reject) => {
      worker.on("message", (message: FromThread) => {
        if (this.worker !== worker) return;
        if (message.kind === "ready") resolve();
        if (message.kind === "unusable") reject(unusable(message.sentence));
        this.hear(message);
      });
      worker.on("error", (error) => {
        reject(notStarted(error));
        this.lost(worker, error.message);
      });
      worker.on("exit", () => {
        reject(notStarted(undefined));
        this.lost(worker, "the thread ended");
      });
    });
  }

  /** Takes jobs while there is room. */
  feed(): void {
    while (this.ready && !this.retiring && this.given.length < IN_FLIGHT) {
      const pending = this.owner.take();
      if (pending === undefined) return;
      this.give(pending);
    }
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    this.ready = false;
    clearTimeout(this.deadline);
    const fault = new Fault("interrupted", {
      code: "GatesClosed",
      sentence: "The gates were closed before this record was judged.",
    });
    for (const pending of this.given.splice(0)) pending.fail(fault);
    await worker?.terminate();
  }

  private hear(message: FromThread): void {
    if (message.kind === "ready") {
      this.ready = true;
      this.feed();
    } else if (message.kind === "verdict") this.settle(message.verdict);
    else if (message.kind === "poisoned") this.crashed(message.reason);
  }

  private give(pending: PendingJob): void {
    // A copy, because what is transferred is gone here, and the record may have to be given again.
    const body = Uint8Array.from(pending.job.body);
    const known = pending.job.knownChecksum;
    const job: ToThread = { body, ...(known !== undefined && { knownChecksum: Uint8Array.from(known) }) };
    this.worker?.postMessage(job, [body.buffer]);
    this.given.push(pending);
    this.served += 1;
    const large = pending.job.body.byteLength > this.settings.largeRecordBytes;
    if (large || this.served >= this.settings.recycleAfter) this.retiring = true;
    if (this.given.length === 1) this.watch();
  }

  private settle(verdict: Verdict): void {
    clearTimeout(this.deadline);
    this.given.shift()?.settle(verdict);
    if (this.given.length > 0) this.watch();
    else if (this.retiring) this.replace();
    this.feed();
  }

  /** The clock runs for the job at work. Its answer may be waiting when the clock rings late: hear that first. */
  private watch(): void {
    const [head] = this.given;
    const { worker } = this;
    this.deadline = setTimeout(() => {
      setImmediate(() => {
        if (this.worker === worker && this.given[0] === head) this.stalled();
      });
    }, this.settings.policy.limits.deadlineMs);
  }

  private stalled(): void {
    this.given.shift()?.settle(deadlineVerdict(this.settings.policy.limits.deadlineMs));
    this.replace();
  }

  /** Once more in a fresh thread, because the one before may have been worn out by others. */
  private crashed(reason: string): void {
    const [head, ...others] = this.given;
    this.given = others;
    if (head !== undefined) {
      head.crashes += 1;
      if (head.crashes > 1) head.settle(crashVerdict(reason));
      else this.given.unshift(head);
    }
    this.replace();
  }

  private lost(worker: Worker, reason: string): void {
    if (this.worker === worker && this.ready) this.crashed(reason);
  }

  /** Jobs not yet judged go back to the front of the queue. */
  private replace(): void {
    clearTimeout(this.deadline);
    const old = this.worker;
    this.worker = undefined;
    this.ready = false;
    this.owner.giveBack(this.given.splice(0));
    void old?.terminate();
    this.start().catch((error: unknown) => {
      this.owner.broken(error instanceof Fault ? error : notStarted(error));
    });
  }
}

function unusable(sentence: string): Fault {
  return new Fault("config", {
    code: "PolicyNotUsable",
    sentence,
    remedy: "Correct the file; harvestctl lint shows the same before a run.",
  });
}

function notStarted(cause: unknown): Fault {
  const why = cause instanceof Error ? `: ${cause.message}` : "";
  return new Fault("bug", {
    code: "GateThread",
    sentence: `A gate thread could not be started${why}.`,
    cause,
  });
}
