/**
 * The harvest pod: mounted files and environment in, one run, exit code and termination message out.
 * No Kubernetes token, no API call. Environment: docs/pod.md.
 */
import { readFile, writeFile } from "node:fs/promises";
import { usableSources } from "../source/usable-sources.js";
import type { HarvestSource } from "../source/harvest-source.generated.js";
import { assemble, newRunId } from "./assemble.js";
import { asFault, Fault, faultTable } from "./fault.js";
import { harvest } from "./harvest.js";
import { openDatabase, storeDirectory } from "./open-database.js";
import { openStore } from "./persist/open-store.js";
import { eventLog, type LogLevel } from "./report/log.js";
import { terminationMessage, type RunSummary } from "./report/summary.js";
import { stopSignal } from "./stop-signal.js";

const environment = process.env;
const manifestPath = environment["HARVEST_MANIFEST"] ?? "/etc/harvest/source.yaml";
const root = environment["HARVEST_ROOT"] ?? "/etc/harvest/policy";
const messagePath = environment["HARVEST_TERMINATION_MESSAGE"] ?? "/dev/termination-log";

async function main(): Promise<number> {
  const source = await readSource();
  const runId = environment["HARVEST_RUN_ID"] ?? newRunId();
  const observe = eventLog({ level: logLevel(), runId, source: source.metadata.name, fd: 1 });
  const stop = stopSignal(source.spec.limits.maxRunSeconds);
  const db = await openDatabase({ url: environment["DATABASE_URL"], directory: storeDirectory(root) });
  const store = openStore(db);
  try {
    const secrets = environment["HARVEST_SECRETS"] ?? "/etc/harvest/secrets";
    const assembled = await assemble({
      source,
      root,
      store,
      observe,
      signal: stop.signal,
      environment,
      secrets,
      runId,
    });
    const summary = await harvest(assembled.run).finally(() => assembled.close());
    await leaveMessage(terminationMessage(summary));
    process.stdout.write(`${JSON.stringify({ level: "info", event: "summary", ...summary })}\n`);
    return summary.exitCode;
  } finally {
    stop.end();
    await store.close();
  }
}

async function readSource(): Promise<HarvestSource> {
  const text = await readFile(manifestPath, "utf8").catch((error: unknown) => {
    throw configFault(`The manifest ${manifestPath} cannot be read: ${String(error)}`);
  });
  const { sources, errors } = usableSources(text, { file: manifestPath, named: true });
  const [[first], [finding]] = [sources, errors];
  if (finding !== undefined || first === undefined)
    throw configFault(finding?.sentence ?? `${manifestPath} holds no HarvestSource.`);
  return first.source;
}

function configFault(sentence: string): Fault {
  return new Fault("config", {
    code: "BadManifest",
    sentence,
    remedy: "Lint the manifest with harvestctl lint.",
  });
}

function logLevel(): LogLevel {
  const level = environment["HARVEST_LOG_LEVEL"];
  return level === "debug" || level === "warn" || level === "error" ? level : "info";
}

async function leaveMessage(message: string): Promise<void> {
  await writeFile(messagePath, message).catch(() => undefined);
}

/** A run that did not get as far as a summary still leaves one: what failed, and what to do. */
async function failed(error: unknown): Promise<number> {
  const fault = asFault(error);
  const exitCode = faultTable[fault.kind].exitCode;
  const { sentence, remedy } = fault.detail;
  const message: Partial<RunSummary> = {
    outcome: "failed",
    exitCode,
    code: fault.code,
    message: sentence,
    remedy,
  };
  await leaveMessage(JSON.stringify(message));
  process.stdout.write(`${JSON.stringify({ level: "error", event: "failed", ...message })}\n`);
  return exitCode;
}

process.exitCode = await main().catch(failed);
