import type { OpenRun } from "./run.js";

/** Tells where the watermark stands before anything is asked, so that a run that fails can say where it stays. */
export async function tellStanding(run: OpenRun, set: string): Promise<void> {
  const { baseUrl, metadataPrefix } = run.source.spec;
  const { watermark } = await run.ledger.loadCursor({ endpoint: baseUrl, set, prefix: metadataPrefix });
  run.observe({ kind: "watermark", set, before: watermark, after: watermark });
}
