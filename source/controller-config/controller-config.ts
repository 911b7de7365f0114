/** The controller's configuration after its defaults were filled in. */
export interface ControllerConfig {
  /** Namespaces looked after; empty = all. */
  readonly watchNamespaces: readonly string[];
  /** Sources worked on at once. */
  readonly workers: number;
  readonly port: number;
  /** A source is Fresh while its last success is no more than so many intervals of its schedule ago. */
  readonly freshIntervals: number;
  readonly logLevel: "debug" | "info" | "warn" | "error";
  readonly harvester: HarvesterConfig;
  readonly drift: {
    /** revert = put back what was delivered; warn = only tell. */
    readonly mode: "revert" | "warn" | "off";
    /** Field managers that deliver, besides those of Flux, Argo CD and the own Git sync. */
    readonly deliveryManagers: readonly string[];
  };
  readonly leaderElection: {
    readonly leaseName: string;
    readonly leaseSeconds: number;
    readonly renewSeconds: number;
    readonly retrySeconds: number;
  };
  readonly api: {
    readonly requestsPerSecond: number;
    readonly burst: number;
    /** A watch without a byte for so long is given up; the server sends something at least each minute. */
    readonly silenceSeconds: number;
  };
  /** Absent = no own Git sync. */
  readonly gitSync?: GitSyncConfig;
}

/** What the pods of all sources have in common. */
export interface HarvesterConfig {
  /** By digest. */
  readonly image: string;
  readonly imagePullPolicy?: "Always" | "IfNotPresent" | "Never";
  readonly imagePullSecrets: readonly string[];
  readonly policyBundle: string;
  /** Secret with the key DATABASE_URL, in each namespace with sources. */
  readonly databaseSecret: string;
  readonly serviceAccount: string;
  /** Mail or web address in the User-Agent. */
  readonly contact?: string;
  readonly resources: {
    readonly requests: Readonly<Record<string, string>>;
    readonly limits: Readonly<Record<string, string>>;
  };
  readonly priorityClassName?: string;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Where the database may be reached; empty = anywhere on databasePort. */
  readonly databaseCidrs: readonly string[];
  readonly databasePort: number;
}

export interface GitSyncConfig {
  readonly url: string;
  readonly branch?: string;
  readonly tag?: string;
  readonly commit?: string;
  readonly path: string;
  readonly intervalSeconds: number;
  readonly namespaces: readonly string[];
  readonly maxDeletePercent: number;
  readonly secretDirectory?: string;
  readonly allowedSignersFile?: string;
  readonly workDirectory: string;
}
