/**
 * The withdraw pod: runs once when a source with `deletions.onSourceRemoval: withdraw` is deleted, and withdraws all its
 * records. The same environment as a run; it asks nothing of the agency and reads no policy. Safe to repeat (docs/pod.md).
 */
import { newRunId } from "./assemble.js";
import { openDatabase, storeDirectory } from "./open-database.js";
import { openStore } from "./persist/open-store.js";
import { processHolder } from "./persist/process-identity.js";
import { withdrawSource, type Withdrawn } from "./persist/withdraw-source.js";
import { databaseUrl, readSource, sourceKeyOf } from "./pod/environment.js";
import { leaveFailure, leaveMessage } from "./pod/leave-message.js";
import { instant } from "./report/summary.js";
import { stopSignal } from "./stop-signal.js";

const environment = process.env;
const task = "withdraw";
/** The controller gives up waiting long before; this is for a pod nobody looks after. */
const mostSeconds = 6 * 3600;

let withdrawn = 0;

async function main(): Promise<number> {
  const source = await readSource(environment);
  const key = sourceKeyOf(environment, source);
  const runId = environment["HARVEST_RUN_ID"] ?? newRunId();
  const root = environment["HARVEST_ROOT"] ?? "/etc/harvest/policy";
  const url = await databaseUrl(environment);
  const db = await openDatabase({ url, directory: storeDirectory(root) });
  const store = openStore(db);
  const stop = stopSignal(mostSeconds);
  const start = {
    runId,
    source: key,
    endpoint: source.spec.baseUrl,
    prefix: source.spec.metadataPrefix,
    policyDigest: "",
    holder: processHolder(),
    manifest: source,
    startedAt: instant(new Date()),
  };
  try {
    const done = await withdrawSource({
      db,
      store,
      start,
      signal: stop.signal,
      onProgress,
      now: () => new Date(),
    });
    return await report({ runId, source: key }, done);
  } finally {
    stop.end();
    await store.close();
  }
}

function onProgress(sofar: number): void {
  withdrawn = sofar;
  process.stdout.write(`${JSON.stringify({ level: "info", event: "withdrawn", withdrawn })}\n`);
}

async function report(
  whose: { readonly runId: string; readonly source: string },
  done: Withdrawn,
): Promise<number> {
  const remaining = done.remaining.records;
  const complete = remaining === 0 && done.remaining.quarantined === 0;
  const exitCode = complete ? 0 : 75;
  const result = {
    task,
    ...whose,
    withdrawn: done.withdrawn,
    remaining,
    outcome: complete ? "complete" : "interrupted",
    exitCode,
    ...(complete ? {} : { code: "Interrupted" }),
    message: complete
      ? `${String(done.withdrawn)} records of ${whose.source} were withdrawn; none is left.`
      : `The withdrawal of ${whose.source} was stopped: ${String(done.withdrawn)} records are withdrawn, ${String(remaining)} are left. Run it again: it goes on.`,
    totals: done.remaining,
  };
  await leaveMessage(environment, JSON.stringify(result), { level: "info", event: "summary", ...result });
  return exitCode;
}

process.exitCode = await main().catch((error: unknown) =>
  leaveFailure(environment, error, { task, withdrawn }),
);
