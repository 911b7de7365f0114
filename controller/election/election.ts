/** What an election is given and what it tells. */
import type { Clock } from "../clock.js";
import type { ElectionSettings } from "../settings.js";
import type { LeaseApi } from "./lease-door.js";

export interface ElectionOptions {
  readonly api: LeaseApi;
  readonly settings: ElectionSettings;
  /** Where the lease is. */
  readonly namespace: string;
  /** Name of this process, e.g. the pod's; a random suffix is added, so that a restarted one is another. */
  readonly identity: string;
  readonly clock: Clock;
  /** From 0 (included) to 1 (excluded), as Math.random. */
  readonly random: () => number;
  /**
   * The work of the leader, called once. When `signal` is aborted it must end; only then is the lease given back. When it
   * ends by itself the lease is given back too.
   */
  onLeading(signal: AbortSignal): Promise<void>;
  /** The lease is lost: the process must end at once, for another may lead by now. The signal of the work is aborted already. */
  onLost(sentence: string): void;
  onNewLeader?(holder: string): void;
  /** A call that failed; once for the same message until a call succeeds. */
  onFault?(problem: unknown): void;
}

export interface ElectionStatus {
  /** Whether this process may write now. Judged by the time that passed, so that it is false also before anybody noticed the loss. */
  readonly leading: boolean;
  /** It was elected and has not given the lease back: also after a loss, which the process should not outlive. For the liveness probe. */
  readonly elected: boolean;
  /** The holder as last seen; undefined = none. */
  readonly leader: string | undefined;
  /** Wall clock, ms: when the lease was last written by this process. */
  readonly lastRenew: number | undefined;
  /** Ms since then; undefined when this process has not led. */
  readonly sinceRenewMs: number | undefined;
}

export interface Election {
  status(): ElectionStatus;
  /** Resolves after a stop, with the lease given back, or after a loss. Rejects with what the work rejected with. */
  readonly ended: Promise<void>;
}
