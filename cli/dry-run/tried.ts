/** What a dry run says of one source; JSON-safe. */
import type { RunSummary } from "../../harvester/report/summary.js";
import type { LastRun } from "./real-store.js";

export interface Tried {
  /** namespace/name, or the name; of a manifest that cannot be used, its file. */
  readonly source: string;
  /** ok: it would run. fails: it would not. untried: it could not be tried. */
  readonly verdict: "ok" | "fails" | "untried";
  /** Stopped by --limit or --max-requests: what comes after is not known. */
  readonly sample: boolean;
  /** Classified against what the real store knows of it; else every record is new. */
  readonly besideStore: boolean;
  readonly counts: TriedCounts;
  readonly seconds: number;
  /** By `gate/rule`. */
  readonly refusedBy: Readonly<Record<string, number>>;
  readonly code?: string;
  readonly message: string;
  readonly remedy?: string;
  readonly lastRun?: LastRun;
  /** Recorded answers nobody asked for, of a replay. */
  readonly unheard?: number;
}

export interface TriedCounts {
  readonly read: number;
  /** Read and not refused. */
  readonly valid: number;
  readonly refused: number;
  readonly insert: number;
  readonly update: number;
  readonly delete: number;
  /** Nothing to be written: unchanged, stale, seen before. */
  readonly skip: number;
  readonly requests: number;
  readonly bytes: number;
}

export interface TriedFacts {
  readonly source: string;
  readonly summary: RunSummary;
  readonly besideStore: boolean;
  readonly lastRun?: LastRun | undefined;
  readonly unheard?: number | undefined;
}

/**
 * Reaching what it was bounded by is what was asked for: no fault, as long as a record was read. A stop keeps nothing a
 * later dry run could go on from.
 */
export function asTried(summary: RunSummary): RunSummary {
  const { code, counts } = summary;
  const bounded = code === "LimitReached" || (code === "RequestBudget" && counts.read > 0);
  if (bounded) return { ...summary, outcome: "complete", exitCode: 0 };
  if (code === "RequestBudget") return { ...summary, remedy: "Allow it more requests (--max-requests)." };
  return code === "Interrupted" ? { ...summary, remedy: undefined } : summary;
}

const samples: ReadonlySet<string | undefined> = new Set(["LimitReached", "RequestBudget"]);
/** Not the source's fault, or not to be known from here. */
const couldNotTry: ReadonlySet<number> = new Set([69, 70, 74, 75]);

export function triedOf({ source, summary, besideStore, lastRun, unheard }: TriedFacts): Tried {
  const { outcome, exitCode, code, message, remedy, refusedBy, seconds } = summary;
  const failed = couldNotTry.has(exitCode) ? "untried" : "fails";
  return {
    source,
    verdict: outcome === "complete" ? "ok" : failed,
    sample: outcome === "complete" && samples.has(code),
    besideStore,
    counts: countsOf(summary),
    seconds,
    refusedBy,
    ...(code === undefined ? {} : { code }),
    message,
    ...(remedy === undefined ? {} : { remedy }),
    ...(lastRun === undefined ? {} : { lastRun }),
    ...(unheard === undefined || unheard === 0 ? {} : { unheard }),
  };
}

function countsOf({ counts }: RunSummary): TriedCounts {
  const { read, quarantined, stillQuarantined, inserted, updated, withdrawn, requests, bytes } = counts;
  const refused = quarantined + stillQuarantined;
  const written = inserted + updated + withdrawn;
  return {
    read,
    valid: Math.max(0, read - refused),
    refused,
    insert: inserted,
    update: updated,
    delete: withdrawn,
    skip: Math.max(0, read - refused - written),
    requests,
    bytes,
  };
}

/** Sums of all sources, for the last line. */
export interface TriedTotals {
  readonly sources: number;
  readonly ok: number;
  readonly fails: number;
  readonly untried: number;
  readonly counts: TriedCounts;
}

export function totalsOf(all: readonly Tried[]): TriedTotals {
  function many(verdict: Tried["verdict"]): number {
    return all.filter((one) => one.verdict === verdict).length;
  }
  function sum(of: keyof TriedCounts): number {
    return all.reduce((total, { counts }) => total + counts[of], 0);
  }
  return {
    sources: all.length,
    ok: many("ok"),
    fails: many("fails"),
    untried: many("untried"),
    counts: {
      read: sum("read"),
      valid: sum("valid"),
      refused: sum("refused"),
      insert: sum("insert"),
      update: sum("update"),
      delete: sum("delete"),
      skip: sum("skip"),
      requests: sum("requests"),
      bytes: sum("bytes"),
    },
  };
}
