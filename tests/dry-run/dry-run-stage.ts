/** Dry runs in this process against real sandboxes, with the policy this repository ships. */
import type { Tape } from "../../harvester/fetch/exchange-tape-reader.js";
import { trySources, type TrialOptions, type TriedRun } from "../../cli/dry-run/try-sources.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { root } from "../run/scene.js";

export function dryRun(
  sources: readonly HarvestSource[],
  over: Partial<TrialOptions> = {},
): Promise<readonly TriedRun[]> {
  return trySources(sources, {
    target: { kind: "live" },
    root,
    limit: 200,
    maxRequests: undefined,
    jobs: 4,
    threads: 1,
    full: false,
    signal: new AbortController().signal,
    onBegin: () => undefined,
    onEvent: () => undefined,
    onEnd: () => undefined,
    ...over,
  });
}

/** What must be equal in a replay: everything but the run's name, and times of day. */
export function figures(runs: readonly TriedRun[]): readonly unknown[] {
  return runs.map(({ summary, tried }) => {
    const { runId, startedAt, endedAt, seconds, ...rest } = summary;
    void runId;
    void endedAt;
    void seconds;
    const { seconds: took, unheard, ...told } = tried;
    void took;
    return { startedAt, ...rest, tried: told, unheard };
  });
}

export function namesOn({ sources }: Tape): readonly string[] {
  return [...sources.keys()].sort();
}
