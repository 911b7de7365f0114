import type { ControllerConfig, HarvesterConfig } from "../source/controller-config/controller-config.js";

/** How one controller is set up; read from the environment by controller/main.ts, documented in docs/operating.md. */
export interface Settings {
  /** Namespace the controller itself lives in: lease, inventory. */
  readonly namespace: string;
  /** Namespaces it looks after; empty = all. */
  readonly watchNamespaces: readonly string[];
  /** Name of this process in the lease, e.g. the pod's name. */
  readonly identity: string;
  readonly render: RenderSettings;
  readonly drift: DriftSettings;
  readonly election: ElectionSettings;
  /** Sources worked on at once. */
  readonly workers: number;
  /** Port of /healthz, /readyz and /metrics; 0 = any free one. */
  readonly port: number;
  /** Runs later than this many intervals after the last success make a source not Fresh. */
  readonly freshIntervals: number;
}

/** What the pods of all sources have in common. */
export interface RenderSettings extends Omit<HarvesterConfig, "policyBundle"> {
  /** Name of the policy bundle's ConfigMap; in each namespace with sources. */
  readonly bundleName: string;
}

export type DriftSettings = ControllerConfig["drift"];
export type DriftMode = DriftSettings["mode"];
export type ElectionSettings = ControllerConfig["leaderElection"];
