/**
 * The controller: configuration in, sources reconciled until SIGTERM. Environment and exit codes: docs/operating.md.
 * 0 = stopped as asked · 1 = the lease was lost, or something failed that a restart may mend · 78 = bad configuration.
 */
import { readFile } from "node:fs/promises";
import type { ControllerConfig } from "../source/controller-config/controller-config.js";
import { parseControllerConfig } from "../source/controller-config/parse.js";
import { ConfigProblem } from "./cluster/config-problem.js";
import { loadConnection } from "./cluster/connection.js";
import { createLog } from "./log.js";
import { settingsOf } from "./read-settings.js";
import { runController } from "./start.js";

const environment = process.env;
const configPath = environment["HARVEST_CONTROLLER_CONFIG"] ?? "/etc/harvest-controller/controller.yaml";

async function main(): Promise<void> {
  const config = await readConfig();
  const log = createLog({ level: config.logLevel });
  const connection = loadConnection({ environment });
  const settings = settingsOf(config, { namespace: connection.namespace, environment });
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => {
      log.info(`${signal}: finishing what is in progress.`);
      stop.abort();
    });
  /** Another may lead by now: nothing more may be written. */
  function onLost(sentence: string): void {
    log.error(sentence);
    process.exit(1);
  }
  const limits = { silenceMs: config.api.silenceSeconds * 1000 };
  await runController({ connection, config, settings, log, limits, signal: stop.signal, onLost });
  await connection.close();
  log.info("Stopped.");
}

async function readConfig(): Promise<ControllerConfig> {
  const text = await readFile(configPath, "utf8").catch((error: unknown) => {
    throw new BadConfiguration(
      `The configuration ${configPath} cannot be read: ${String(error)}. HARVEST_CONTROLLER_CONFIG names another file.`,
    );
  });
  const { config, findings } = parseControllerConfig(text, configPath);
  if (config !== undefined) return config;
  const told = findings.map(
    ({ place, sentence, remedy = "" }) => `${place.file}:${String(place.line)}: ${sentence} ${remedy}`,
  );
  throw new BadConfiguration(told.join("\n"));
}

class BadConfiguration extends Error {}

function failed(error: unknown): number {
  const log = createLog({ level: "error" });
  const configuration = error instanceof BadConfiguration || error instanceof ConfigProblem;
  log.error(error instanceof Error ? error.message : String(error), configuration ? {} : { error });
  return configuration ? 78 : 1;
}

await main().then(
  () => process.exit(0),
  (error: unknown) => process.exit(failed(error)),
);
