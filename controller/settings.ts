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
export interface RenderSettings {
  /** Image of the harvester, by digest. */
  readonly image: string;
  readonly imagePullPolicy?: "Always" | "IfNotPresent" | "Never";
  readonly imagePullSecrets: readonly string[];
  /** Name of the policy bundle's ConfigMap; in each namespace with sources. */
  readonly bundleName: string;
  /** Secret with the key DATABASE_URL, in each namespace with sources. */
  readonly databaseSecret: string;
  /** Mail or web address in the User-Agent. */
  readonly contact?: string;
  readonly serviceAccount: string;
  readonly resources: {
    readonly requests: Readonly<Record<string, string>>;
    readonly limits: Readonly<Record<string, string>>;
  };
  readonly priorityClassName?: string;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Where the database may be reached; absent = anywhere on databasePort. */
  readonly databaseCidrs: readonly string[];
  readonly databasePort: number;
}

export type DriftMode = "revert" | "warn" | "off";

export interface DriftSettings {
  readonly mode: DriftMode;
  /** Field managers that deliver, besides those of Flux, Argo CD and the own Git sync. */
  readonly deliveryManagers: readonly string[];
}

export interface ElectionSettings {
  readonly leaseName: string;
  readonly leaseSeconds: number;
  readonly renewSeconds: number;
  readonly retrySeconds: number;
}
