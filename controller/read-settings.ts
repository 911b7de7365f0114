import { hostname } from "node:os";
import type { ControllerConfig } from "../source/controller-config/controller-config.js";
import type { Settings } from "./settings.js";

export interface ControllerPlace {
  /** Namespace of the context or of the pod. */
  readonly namespace: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The configuration file and the pod's own facts (POD_NAMESPACE, POD_NAME) as the loop wants them. */
export function settingsOf(config: ControllerConfig, { namespace, environment }: ControllerPlace): Settings {
  const { policyBundle, ...harvester } = config.harvester;
  return {
    namespace: environment["POD_NAMESPACE"] ?? namespace ?? "default",
    identity: environment["POD_NAME"] ?? hostname(),
    watchNamespaces: config.watchNamespaces,
    workers: config.workers,
    port: config.port,
    freshIntervals: config.freshIntervals,
    render: { ...harvester, bundleName: policyBundle },
    drift: config.drift,
    election: config.leaderElection,
  };
}
