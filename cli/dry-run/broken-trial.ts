import { newRunId } from "../../harvester/assemble.js";
import { summarise } from "../../harvester/report/summary.js";
import { emptyTally } from "../../harvester/report/tally.js";
import type { BrokenManifest } from "./load-trials.js";
import { triedOf } from "./tried.js";
import type { TriedRun } from "./try-sources.js";

/** A manifest that cannot be used, as a source that would fail. */
export function brokenTrial({ file, fault }: BrokenManifest): TriedRun {
  const now = new Date();
  const summary = summarise({
    runId: newRunId(),
    source: file,
    endpoint: "",
    prefix: "",
    policyDigest: "",
    startedAt: now,
    endedAt: now,
    tally: emptyTally,
    fault,
  });
  return { summary, tried: triedOf({ source: file, summary, besideStore: false }) };
}
