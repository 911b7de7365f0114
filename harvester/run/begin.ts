import { instant } from "../report/summary.js";
import type { OpenRun, Run } from "./run.js";

/** Takes the source for this run: nobody else may write for it until the run is finished (case C130). */
export async function begin(
  run: Run,
  sets: readonly string[] | undefined,
  observe: Run["observe"],
): Promise<OpenRun> {
  const startedAt = run.clock.now();
  const { spec, metadata } = run.source;
  const ledger = await run.store.begin({
    runId: run.runId,
    source: run.sourceKey ?? metadata.name,
    endpoint: spec.baseUrl,
    prefix: spec.metadataPrefix,
    policyDigest: run.policyDigest,
    holder: run.holder,
    manifest: run.source,
    startedAt: instant(startedAt),
    sets,
  });
  // A hold that is lost stops the run like a signal does: another process may be writing by now.
  const signal = ledger.lost === undefined ? run.signal : AbortSignal.any([run.signal, ledger.lost]);
  return { ...run, signal, observe, ledger, startedAt, quota: { left: run.limit ?? Infinity } };
}
