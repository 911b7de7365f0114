/** Generated from crds/ingest.geoportal.io_harvestsources.yaml by `npm run generate`. Do not edit. */

/** A manifest after its defaults were filled in: fields with a default are always there. */
export interface HarvestSource {
  readonly apiVersion: "ingest.geoportal.io/v1";
  readonly kind: "HarvestSource";
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: HarvestSourceSpec;
}

export interface HarvestSourceSpec {
  readonly protocol: "oai-pmh";
  readonly baseUrl: string;
  readonly sets?: readonly string[];
  readonly metadataPrefix: string;
  readonly schedule: string;
  readonly timeZone: string;
  readonly scheduleSpreadMinutes: number;
  readonly suspend: boolean;
  readonly delta: {
    readonly mode: "from-cursor" | "snapshot" | "full";
    readonly overlapSeconds: number;
    readonly maxWindowDays?: number;
  };
  readonly deletions: {
    readonly policy: "auto" | "tombstones" | "snapshot" | "ignore";
    readonly maxPercent: number;
    readonly minRecords: number;
    readonly sweepIntervalHours: number;
    readonly onSourceRemoval: "keep" | "withdraw";
  };
  readonly concurrency: {
    readonly maxRequests: number;
    readonly requestsPerSecond?: number;
    readonly respectRetryAfter: boolean;
  };
  readonly backoff: {
    readonly initialMs: number;
    readonly maxMs: number;
    readonly jitter: "full" | "none";
    readonly maxAttempts: number;
  };
  readonly token: {
    readonly cacheTtlSeconds: number;
    readonly alsoSendPrefix: boolean;
  };
  readonly validation: {
    readonly xsd?: string | readonly string[];
    readonly schematron?: string | readonly string[];
    readonly phase?: string;
    readonly onFailure: "quarantine" | "fail";
  };
  readonly transport: {
    readonly mtls: boolean;
    readonly clientCertificate?: { readonly secretName?: string };
    readonly caSecretName?: string;
    readonly minTlsVersion: "1.2" | "1.3";
    readonly proxyUrl?: string;
    readonly headersSecretName?: string;
    readonly allowPrivateNetwork: boolean;
    readonly allowedRedirectOrigins?: readonly string[];
    readonly timeouts: {
      readonly connectSeconds: number;
      readonly firstByteSeconds: number;
      readonly idleSeconds: number;
      readonly requestSeconds: number;
    };
  };
  readonly limits: {
    readonly maxRecordBytes: number;
    readonly maxPageBytes: number;
    readonly maxRunSeconds: number;
  };
}
