/**
 * The gates in worker threads: a hostile record can neither stop nor stall a run. A record that outlives its deadline
 * or kills the engine costs itself and half a second; the others go on.
 */
import { availableParallelism } from "node:os";
import type { Fault } from "../fault.js";
import type { GatePolicy, Gates } from "./gate.js";
import { threadFile } from "./thread-file.js";
import { GateSlot, type PendingJob, type SlotSettings } from "./gate-slot.js";

export interface PoolOptions {
  /** Threads; as many as cores unless told: the main thread mostly waits for the source and the database. */
  readonly threads?: number | undefined;
  /** The file a thread runs: harvester/gate-thread beside this folder, compiled or not as this file is. */
  readonly threadUrl?: URL | undefined;
  /** Node options of the threads; those of this process unless told. */
  readonly execArgv?: readonly string[] | undefined;
  /** Records after which a thread is replaced. */
  readonly recycleAfter?: number | undefined;
  /** Bytes above which a record has its thread replaced afterwards. */
  readonly largeRecordBytes?: number | undefined;
  /** JavaScript heap of a thread; the engine's memory has its own cap. */
  readonly heapMegabytes?: number | undefined;
}

/** Starts the threads. Throws Fault `config` when the policy cannot be compiled. */
export async function startGates(policy: GatePolicy, options: PoolOptions = {}): Promise<Gates> {
  const pool = new Pool(settingsOf(policy, options));
  await pool.start(options.threads ?? Math.max(1, availableParallelism()));
  return pool;
}

function settingsOf(policy: GatePolicy, options: PoolOptions): SlotSettings {
  const file = threadFile();
  return {
    policy: {
      ...policy,
      files: policy.files.map(({ path, bytes }) => ({ path, bytes: Uint8Array.from(bytes) })),
    },
    threadUrl: options.threadUrl ?? file.url,
    execArgv: options.execArgv ?? file.execArgv,
    recycleAfter: options.recycleAfter ?? 20_000,
    largeRecordBytes: options.largeRecordBytes ?? 5 * 1024 * 1024,
    heapMegabytes: options.heapMegabytes ?? 512,
  };
}

class Pool implements Gates {
  private readonly settings: SlotSettings;
  private slots: readonly GateSlot[] = [];
  private queue: PendingJob[] = [];
  private fault: Fault | undefined;

  constructor(settings: SlotSettings) {
    this.settings = settings;
  }

  async start(threads: number): Promise<void> {
    const owner = {
      take: () => this.queue.shift(),
      giveBack: (jobs: readonly PendingJob[]) => {
        this.queue.unshift(...jobs);
        this.feed();
      },
      broken: (fault: Fault) => {
        this.break(fault);
      },
    };
    this.slots = Array.from({ length: threads }, () => new GateSlot(this.settings, owner));
    const started = await Promise.allSettled(this.slots.map((slot) => slot.start()));
    const failed = started.find((result) => result.status === "rejected");
    if (failed === undefined) return;
    await this.close();
    throw failed.reason;
  }

  check(job: Parameters<Gates["check"]>[0]): ReturnType<Gates["check"]> {
    return new Promise((settle, fail) => {
      if (this.fault !== undefined) {
        fail(this.fault);
        return;
      }
      this.queue.push({ job, settle, fail, crashes: 0 });
      this.feed();
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.slots.map((slot) => slot.close()));
  }

  private feed(): void {
    for (const slot of this.slots) slot.feed();
  }

  /** No thread can be started any more: nobody may wait for ever. */
  private break(fault: Fault): void {
    this.fault = fault;
    for (const pending of this.queue.splice(0)) pending.fail(fault);
  }
}
