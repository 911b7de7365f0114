import type { Fault } from "../harvester/fault.js";
import { redactUrl } from "../harvester/fetch/redact.js";
import { summarise, type RunSummary } from "../harvester/report/summary.js";
import { emptyTally } from "../harvester/report/tally.js";
import type { HarvestSource } from "../source/harvest-source.generated.js";

/** The summary of a run that did not get as far as its first request. */
export function notBegun(
  source: HarvestSource,
  { runId, startedAt, fault }: { readonly runId: string; readonly startedAt: Date; readonly fault: Fault },
): RunSummary {
  return summarise({
    runId,
    source: source.metadata.name,
    endpoint: redactUrl(source.spec.baseUrl),
    prefix: source.spec.metadataPrefix,
    policyDigest: "",
    startedAt,
    endedAt: new Date(),
    tally: emptyTally,
    fault,
  });
}
