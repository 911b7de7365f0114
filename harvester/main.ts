/**
 * The harvest pod: mounted files and environment in, one run, exit code and termination message out.
 * No Kubernetes token, no API call. Environment: docs/pod.md.
 */
import { assemble, newRunId, type AssembledRun, type Assembly } from "./assemble.js";
import { harvest } from "./harvest.js";
import { openDatabase, storeDirectory } from "./open-database.js";
import { openStore } from "./persist/open-store.js";
import { databaseUrl, logLevel, policyRoot, readSource, sourceKeyOf } from "./pod/environment.js";
import { leaveFailure, leaveMessage } from "./pod/leave-message.js";
import { eventLog } from "./report/log.js";
import { terminationMessage, type RunSummary } from "./report/summary.js";
import { stopSignal } from "./stop-signal.js";

const environment = process.env;

async function main(): Promise<number> {
  const source = await readSource(environment);
  const sourceKey = sourceKeyOf(environment, source);
  const { root, bundleDigest } = await policyRoot(environment);
  const runId = environment["HARVEST_RUN_ID"] ?? newRunId();
  const observe = eventLog({ level: logLevel(environment), runId, source: sourceKey, fd: 1 });
  const stop = stopSignal(source.spec.limits.maxRunSeconds);
  const url = await databaseUrl(environment);
  const store = openStore(await openDatabase({ url, directory: storeDirectory(root) }));
  try {
    const secrets = environment["HARVEST_SECRETS"] ?? "/etc/harvest/secrets";
    const here = { source, sourceKey, root, store, observe, environment, secrets, runId };
    const summary = await runOf({ ...here, signal: stop.signal });
    const said: RunSummary = bundleDigest === undefined ? summary : { ...summary, bundleDigest };
    await leaveMessage(environment, terminationMessage(said), { level: "info", event: "summary", ...said });
    return said.exitCode;
  } finally {
    stop.end();
    await store.close();
  }
}

async function runOf(parts: Assembly): Promise<RunSummary> {
  const assembled: AssembledRun = await assemble(parts);
  return harvest(assembled.run).finally(() => assembled.close());
}

process.exitCode = await main().catch((error: unknown) => leaveFailure(environment, error));
