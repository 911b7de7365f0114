/** A manifest's spec with every default filled in, for tests. */
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";

export function specFor(changes: Partial<HarvestSourceSpec> = {}): HarvestSourceSpec {
  return {
    protocol: "oai-pmh",
    baseUrl: "https://repo.example.org/oai",
    metadataPrefix: "oai_dc",
    schedule: "0 * * * *",
    timeZone: "Etc/UTC",
    scheduleSpreadMinutes: 0,
    suspend: false,
    delta: { mode: "from-cursor", overlapSeconds: 300 },
    deletions: {
      policy: "auto",
      maxPercent: 10,
      minRecords: 20,
      sweepIntervalHours: 24,
      onSourceRemoval: "keep",
    },
    concurrency: { maxRequests: 1, respectRetryAfter: true },
    backoff: { initialMs: 1000, maxMs: 60_000, jitter: "full", maxAttempts: 5 },
    token: { cacheTtlSeconds: 900, alsoSendPrefix: false },
    validation: { onFailure: "quarantine" },
    transport: {
      mtls: false,
      minTlsVersion: "1.3",
      allowPrivateNetwork: false,
      timeouts: { connectSeconds: 10, firstByteSeconds: 90, idleSeconds: 60, requestSeconds: 600 },
    },
    limits: { maxRecordBytes: 1_000_000, maxPageBytes: 10_000_000, maxRunSeconds: 3600 },
    ...changes,
  };
}
