import { setTimeout as sleep } from "node:timers/promises";
import { syncOnce, type GitSyncParts } from "./sync-once.js";
import type { SyncResult } from "./sync-result.js";

export interface GitSyncLoop extends GitSyncParts {
  /** Told after each pass. */
  readonly report: (result: SyncResult) => void;
  /** At least 0, below 1. */
  readonly random: () => number;
}

const MAX_WAIT_SECONDS = 900;

/** Passes until `signal` aborts, one at a time. To be started by the leader only. */
export async function runGitSync(parts: GitSyncLoop, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const result = await syncOnce(parts, signal);
    if (signal.aborted) return;
    parts.report(result);
    failures = result.kind === "failed" ? failures + 1 : 0;
    const seconds = waitSeconds(parts.settings.intervalSeconds, failures, parts.random());
    await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
  }
}

/** The interval give or take a tenth, so that many clusters do not ask at once; doubled for each failure in a row. */
export function waitSeconds(interval: number, failures: number, random: number): number {
  const longest = Math.max(interval, MAX_WAIT_SECONDS);
  const wait = Math.min(longest, interval * 2 ** Math.min(failures, 10));
  return wait * (0.9 + 0.2 * random);
}
