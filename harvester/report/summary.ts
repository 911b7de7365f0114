import type { Fault } from "../fault.js";
import { faultTable } from "../fault.js";
import type { Instant, Outcome } from "../record.js";
import type { Tally } from "./tally.js";
import { unchanged } from "./tally.js";

/** What a run leaves behind for people and machines: the same facts in text, JSON, database and termination message. */
export interface RunSummary {
  readonly runId: string;
  readonly source: string;
  readonly endpoint: string;
  readonly prefix: string;
  readonly outcome: Outcome;
  readonly exitCode: number;
  /** Reason code of an end that was not complete. */
  readonly code?: string;
  readonly message: string;
  readonly remedy?: string;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
  readonly seconds: number;
  readonly counts: {
    readonly requests: number;
    readonly bytes: number;
    readonly read: number;
    readonly inserted: number;
    readonly updated: number;
    readonly withdrawn: number;
    readonly unchanged: number;
    readonly quarantined: number;
    readonly stillQuarantined: number;
    readonly stale: number;
    readonly healed: number;
    readonly restarts: number;
  };
  readonly refusedBy: Readonly<Record<string, number>>;
  readonly watermarks: Tally["watermarks"];
  /** No request to this endpoint before: Retry-After or an open breaker. */
  readonly notBefore?: Instant;
  readonly waitedSeconds: number;
  /** The source's clock less ours, in whole seconds; absent: it told no time, or an older version wrote this. */
  readonly skewSeconds?: number;
  readonly warnings: Tally["warnings"];
  readonly policyDigest: string;
  /** What the catalogue holds of the source after the run; absent when the store could not say. */
  readonly totals?: SourceTotals;
  /** Of the policy bundle the pod was given. */
  readonly bundleDigest?: string;
}

export interface SourceTotals {
  /** Alive. */
  readonly records: number;
  /** Open quarantine entries. */
  readonly quarantined: number;
}

export interface RunFacts {
  readonly runId: string;
  readonly source: string;
  readonly endpoint: string;
  readonly prefix: string;
  readonly policyDigest: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly tally: Tally;
  readonly fault?: Fault;
  readonly notBefore?: Instant;
  readonly totals?: SourceTotals;
}

/** The summary of a run. Complete means: every window ended by protocol, nothing failed, nothing was left out. */
export function summarise(facts: RunFacts): RunSummary {
  const { tally } = facts;
  const verdict = judge(facts);
  return {
    runId: facts.runId,
    source: facts.source,
    endpoint: facts.endpoint,
    prefix: facts.prefix,
    ...verdict,
    startedAt: instant(facts.startedAt),
    endedAt: instant(facts.endedAt),
    seconds: Math.round((facts.endedAt.getTime() - facts.startedAt.getTime()) / 100) / 10,
    counts: {
      requests: tally.requests,
      bytes: tally.bytes,
      read: tally.read,
      inserted: tally.inserted,
      updated: tally.updated,
      withdrawn: tally.withdrawn,
      unchanged: unchanged(tally),
      quarantined: tally.quarantined,
      stillQuarantined: tally.skipped["still-quarantined"] ?? 0,
      stale: tally.stale,
      healed: tally.healed,
      restarts: tally.restarts,
    },
    refusedBy: tally.refusedBy,
    watermarks: tally.watermarks,
    notBefore: facts.notBefore,
    waitedSeconds: Math.round(tally.waitedMs / 1000),
    ...(tally.skewSeconds === undefined ? {} : { skewSeconds: tally.skewSeconds }),
    warnings: tally.warnings,
    policyDigest: facts.policyDigest,
    ...(facts.totals === undefined ? {} : { totals: facts.totals }),
  };
}

type Judgement = Pick<RunSummary, "outcome" | "exitCode" | "code" | "message" | "remedy">;

function judge({ tally, fault }: RunFacts): Judgement {
  if (fault) return judgeFault(fault, tally);
  const [first] = tally.incomplete;
  if (first !== undefined)
    return {
      outcome: "partial",
      exitCode: 75,
      code: "ListIncomplete",
      message: first,
      remedy: "The next run asks the same window again.",
    };
  return { outcome: "complete", exitCode: 0, message: "All records of all windows were read." };
}

function judgeFault(fault: Fault, tally: Tally): Judgement {
  const { kind } = fault;
  const progress = tally.read > 0;
  const outcome: Outcome =
    kind === "interrupted" ? "interrupted" : kind === "refused" ? "refused" : progress ? "partial" : "failed";
  return {
    outcome,
    exitCode: faultTable[kind].exitCode,
    code: fault.code,
    message: fault.detail.sentence,
    remedy: fault.detail.remedy,
  };
}

/** A date as the product writes it everywhere: UTC, whole seconds. */
export function instant(date: Date): Instant {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** The kubelet keeps 4,096 bytes of a termination message: what does not fit goes, the verdict stays. */
export function terminationMessage(summary: RunSummary, maxBytes = 4096): string {
  const trimmed: readonly Partial<RunSummary>[] = [
    summary,
    { ...summary, warnings: summary.warnings.slice(0, 5) },
    {
      ...summary,
      warnings: [],
      refusedBy: topOf(summary.refusedBy, 10),
      watermarks: summary.watermarks.slice(0, 5),
    },
    {
      ...summary,
      warnings: [],
      refusedBy: {},
      watermarks: [],
      message: summary.message.slice(0, 500),
      remedy: undefined,
    },
    verdictOnly(summary),
  ];
  return shortest(trimmed, maxBytes);
}

/** What a program leaves that did not get as far as a summary: what failed, what to do, and a few short facts besides. */
export function failureMessage(failure: Failure, maxBytes = 4096): string {
  const { message, remedy, code } = failure;
  return shortest(
    [
      failure,
      { ...failure, message: message.slice(0, 1000), remedy: remedy?.slice(0, 300) },
      // Six bytes of JSON at most for a unit of text.
      {
        ...failure,
        code: code.slice(0, 64),
        message: message.slice(0, 300),
        remedy: remedy?.slice(0, 200),
      },
    ],
    maxBytes,
  );
}

export interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  readonly remedy?: string | undefined;
}

/** The first that fits; else the last, which is small by construction. */
function shortest(candidates: readonly object[], maxBytes: number): string {
  const texts = candidates.map((candidate) => JSON.stringify(candidate));
  return texts.find((text) => Buffer.byteLength(text) <= maxBytes) ?? String(texts.at(-1));
}

/** Six bytes of JSON at most for a unit of text: 300 units of message and 200 of names stay below 4,096 bytes. */
function verdictOnly(summary: RunSummary): Partial<RunSummary> {
  const { outcome, exitCode, counts, totals, startedAt, endedAt, notBefore } = summary;
  return {
    runId: summary.runId.slice(0, 64),
    outcome,
    exitCode,
    code: summary.code?.slice(0, 64),
    message: summary.message.slice(0, 300),
    startedAt,
    endedAt,
    counts,
    notBefore,
    policyDigest: summary.policyDigest.slice(0, 64),
    totals,
    bundleDigest: summary.bundleDigest?.slice(0, 64),
  };
}

function topOf(counts: Readonly<Record<string, number>>, most: number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .slice(0, most),
  );
}
