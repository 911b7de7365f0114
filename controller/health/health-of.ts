/** Whether the process is well. Pure: what it says of itself, and the limits, are handed in. */

/** What the parts of the controller say about themselves at one moment; times as ages in ms. */
export interface Vitals {
  readonly reflectors: readonly ReflectorVitals[];
  /** Absent before the election began. */
  readonly election?: ElectionVitals;
}

export interface ReflectorVitals {
  readonly name: string;
  readonly synced: boolean;
  /** Since the last bytes, answer or end of an attempt. An API server that is away ends attempts: it makes nobody idle. */
  readonly idleMs: number;
}

export interface ElectionVitals {
  /** This process was elected and has not given the lease back. Not whether it still may write: that ends by itself with the time. */
  readonly elected: boolean;
  /** Since the lease was last written; undefined = never by this process. */
  readonly sinceRenewMs: number | undefined;
}

export interface HealthLimits {
  /** A reflector silent for longer is stuck: well above what its own watchdog allows. */
  readonly silentMs: number;
  /** A leader that has not renewed for longer should have ended itself: the whole lease. */
  readonly leaseMs: number;
}

export interface Check {
  readonly name: string;
  /** Absent = well; else what is wrong, for people. */
  readonly problem?: string;
}

export interface Health {
  /** One that fails: the kubelet starts the process again. */
  readonly live: readonly Check[];
  /** One that fails: not yet of use. A standby with full caches is ready. */
  readonly ready: readonly Check[];
}

export function healthOf({ reflectors, election }: Vitals, limits: HealthLimits): Health {
  const ping: Check = { name: "ping" };
  return {
    live: [ping, leaseCheck(election, limits), ...reflectors.map((one) => silenceCheck(one, limits))],
    ready: [ping, ...reflectors.map(syncCheck)],
  };
}

function leaseCheck(election: ElectionVitals | undefined, { leaseMs }: HealthLimits): Check {
  const since = election?.elected === true ? election.sinceRenewMs : undefined;
  if (since === undefined || since <= leaseMs) return { name: "leader-election" };
  return {
    name: "leader-election",
    problem: `this process was elected, but has not renewed its lease for ${seconds(since)} (limit ${seconds(leaseMs)})`,
  };
}

function silenceCheck({ name, idleMs }: ReflectorVitals, { silentMs }: HealthLimits): Check {
  if (idleMs <= silentMs) return { name: `watch-${name}` };
  return {
    name: `watch-${name}`,
    problem: `the watch of ${name} has been silent for ${seconds(idleMs)} (limit ${seconds(silentMs)})`,
  };
}

function syncCheck({ name, synced }: ReflectorVitals): Check {
  return synced
    ? { name: `cache-${name}` }
    : { name: `cache-${name}`, problem: `the first list of ${name} is not complete` };
}

function seconds(ms: number): string {
  return `${String(Math.floor(ms / 1000))} s`;
}

/** The answer of a probe, in the form of Kubernetes' own: `ok`, or every check on a line. */
export function probeAnswer(
  probe: string,
  checks: readonly Check[],
  verbose: boolean,
): { readonly status: 200 | 500; readonly body: string } {
  const well = checks.every(({ problem }) => problem === undefined);
  if (well && !verbose) return { status: 200, body: "ok" };
  const lines = checks.map(({ name, problem }) =>
    problem === undefined ? `[+]${name} ok` : `[-]${name} failed: ${problem}`,
  );
  const verdict = `${probe} check ${well ? "passed" : "failed"}`;
  return { status: well ? 200 : 500, body: [...lines, verdict, ""].join("\n") };
}
