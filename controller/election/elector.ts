/** One candidacy: look at the lease, decide (decide-election.ts), write, wait. */
import { randomUUID } from "node:crypto";
import { ApiFault } from "../api.js";
import { JITTER } from "./check-settings.js";
import { decideElection, see, type ElectionDecision, type Sighting } from "./decide-election.js";
import type { ElectionOptions, ElectionStatus } from "./election.js";
import { LeaseDoor } from "./lease-door.js";
import { microTime, type LeaseRecord, type ReadLease } from "./lease-record.js";

interface Work {
  ended: boolean;
  failure?: { readonly error: unknown };
}

export class Elector {
  readonly #options: ElectionOptions;
  readonly #door: LeaseDoor;
  readonly #me: string;
  readonly #leaseMs: number;
  readonly #renewMs: number;
  readonly #retryMs: number;
  readonly #leading = new AbortController();
  #sighting: Sighting | undefined;
  /** False after a write that failed: then the lease is read before the next. */
  #certain = false;
  #conflicts = 0;
  #lastRenew: { readonly elapsed: number; readonly wall: number } | undefined;
  #work: Work | undefined;
  #stopping = false;
  #lost = false;
  #lastFault: string | undefined;
  #toldLeader: string | undefined;
  #cancelWatchdog: () => void = () => undefined;
  #wake: () => void = () => undefined;

  constructor(options: ElectionOptions) {
    const { settings, identity } = options;
    this.#options = options;
    this.#me = `${identity}_${randomUUID()}`;
    this.#leaseMs = settings.leaseSeconds * 1000;
    this.#renewMs = settings.renewSeconds * 1000;
    this.#retryMs = settings.retrySeconds * 1000;
    this.#door = new LeaseDoor({
      api: options.api,
      clock: options.clock,
      namespace: options.namespace,
      name: settings.leaseName,
      // A call that hangs leaves time for a second try before the deadline.
      patienceMs: this.#renewMs / 2,
    });
  }

  status(): ElectionStatus {
    const since =
      this.#lastRenew === undefined ? undefined : this.#options.clock.elapsed() - this.#lastRenew.elapsed;
    return {
      leading: !this.#lost && since !== undefined && since < this.#renewMs,
      elected: this.#lastRenew !== undefined,
      leader: this.#leader(),
      lastRenew: this.#lastRenew?.wall,
      sinceRenewMs: since,
    };
  }

  stop(): void {
    this.#stopping = true;
    this.#leading.abort();
    this.#wake();
  }

  async run(): Promise<void> {
    while (!this.#over()) await this.#sleep(await this.#turn());
    if (this.#lost) return;
    this.#cancelWatchdog();
    if (this.#work !== undefined) await this.#release();
    this.#lastRenew = undefined;
    if (this.#work?.failure !== undefined) throw this.#work.failure.error;
  }

  /** The work must have ended before the lease is given back; until then it is renewed. */
  #over(): boolean {
    return this.#lost || (this.#work === undefined ? this.#stopping : this.#work.ended);
  }

  /** One look and one step; answers how long to wait before the next, in ms. Never rejects. */
  async #turn(): Promise<number> {
    try {
      if (this.#sighting === undefined || this.#work === undefined || !this.#certain)
        this.#see(await this.#door.read());
      const now = this.#options.clock.elapsed();
      const decision = this.#decide(now);
      if (decision.kind === "wait") return Math.min(decision.until - now, this.#pause());
      if (decision.kind === "lost") this.#lose(decision.reason);
      else if (!this.#over()) await this.#write(decision);
      this.#conflicts = 0;
      this.#lastFault = undefined;
      return this.#pause();
    } catch (problem) {
      return this.#failed(problem);
    }
  }

  #decide(now: number): ElectionDecision {
    const sighting = this.#sighting ?? see(undefined, undefined, now);
    return decideElection({
      me: this.#me,
      sighting,
      lastRenew: this.#lastRenew?.elapsed,
      leaseMs: this.#leaseMs,
      renewMs: this.#renewMs,
      now,
    });
  }

  async #write({ kind, from }: Extract<ElectionDecision, { kind: "acquire" | "renew" }>): Promise<void> {
    const { clock } = this.#options;
    const sent = { elapsed: clock.elapsed(), wall: clock.now() };
    const lease = await this.#door.write(this.#record(kind, from), from);
    this.#certain = true;
    // Others count from when they see it, which is after it was sent: so does the leader, from when it was sent.
    this.#lastRenew = sent;
    this.#see(lease);
    if (this.#lost) return;
    this.#watch();
    if (kind === "acquire") void this.#lead();
  }

  #record(kind: "acquire" | "renew", from: ReadLease | undefined): LeaseRecord {
    const before = from?.record;
    const renewTime = microTime(this.#options.clock.now());
    const ours = before?.holder === this.#me;
    return {
      holder: this.#me,
      durationSeconds: this.#options.settings.leaseSeconds,
      renewTime,
      acquireTime: kind === "renew" && ours ? before.acquireTime : renewTime,
      transitions: before === undefined ? 0 : before.transitions + (ours ? 0 : 1),
    };
  }

  async #lead(): Promise<void> {
    const work: Work = { ended: false };
    this.#work = work;
    try {
      await this.#options.onLeading(this.#leading.signal);
    } catch (error) {
      work.failure = { error };
    }
    work.ended = true;
    this.#wake();
  }

  /** A call that hangs must not keep a leader in office. */
  #watch(): void {
    this.#cancelWatchdog();
    const left = this.#renewMs - (this.#options.clock.elapsed() - (this.#lastRenew?.elapsed ?? 0));
    this.#cancelWatchdog = this.#options.clock.after(left, () => {
      if (this.#work?.ended === false) this.#lose("not-renewed");
    });
  }

  #lose(reason: "taken" | "not-renewed"): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#cancelWatchdog();
    this.#leading.abort();
    const { namespace, settings } = this.#options;
    const lease = `lease ${namespace}/${settings.leaseName}`;
    this.#options.onLost(
      reason === "taken"
        ? `The ${lease} is held by ${this.#leader() ?? "nobody"} now: this process stops at once and starts again as a candidate.`
        : `The ${lease} could not be renewed for ${String(settings.renewSeconds)} s: this process stops at once, for another may lead soon. Look at the connection to the API server.`,
    );
    this.#wake();
  }

  async #release(): Promise<void> {
    const time = microTime(this.#options.clock.now());
    const given = { holder: "", durationSeconds: 1, acquireTime: time, renewTime: time };
    try {
      if (!this.#certain) this.#see(await this.#door.read());
      const lease = this.#sighting?.lease;
      if (lease?.record.holder !== this.#me) return;
      this.#see(await this.#door.write({ ...lease.record, ...given }, lease));
    } catch (problem) {
      // The others take it after its time.
      this.#options.onFault?.(problem);
    }
  }

  #see(lease: ReadLease | undefined): void {
    this.#sighting = see(this.#sighting, lease, this.#options.clock.elapsed());
    const leader = this.#leader();
    if (leader === undefined || leader === this.#toldLeader) return;
    this.#toldLeader = leader;
    this.#options.onNewLeader?.(leader);
  }

  #leader(): string | undefined {
    return this.#sighting?.lease?.record.holder || undefined;
  }

  #failed(problem: unknown): number {
    this.#certain = false;
    const message = problem instanceof Error ? problem.message : String(problem);
    if (message !== this.#lastFault) this.#options.onFault?.(problem);
    this.#lastFault = message;
    this.#conflicts = problem instanceof ApiFault && problem.status === 409 ? this.#conflicts + 1 : 0;
    // Somebody else wrote: a leader looks at once who it was.
    return this.#work !== undefined && this.#conflicts === 1 ? 0 : this.#pause();
  }

  /** A leader keeps the beat; candidates come by chance. */
  #pause(): number {
    return this.#work !== undefined ? this.#retryMs : this.#retryMs * (1 + JITTER * this.#options.random());
  }

  #sleep(ms: number): Promise<void> {
    if (this.#over()) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
