/** Two sources with everything around them, for tests: one that says as little as it may, one that says all there is. */
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import type { LiveSource } from "../object.js";
import type { RenderSettings } from "../settings.js";
import type { RenderInput } from "./render-input.js";

/** As the API server fills it in. */
const spec: HarvestSourceSpec = {
  protocol: "oai-pmh",
  baseUrl: "https://metadata.state.example.gov/oai",
  metadataPrefix: "iso19139",
  schedule: "0 */6 * * *",
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
  backoff: { initialMs: 1000, maxMs: 60000, jitter: "full", maxAttempts: 5 },
  token: { cacheTtlSeconds: 900, alsoSendPrefix: false },
  validation: { onFailure: "quarantine" },
  transport: {
    mtls: false,
    minTlsVersion: "1.3",
    allowPrivateNetwork: false,
    timeouts: { connectSeconds: 10, firstByteSeconds: 120, idleSeconds: 60, requestSeconds: 900 },
  },
  limits: { maxRecordBytes: 10485760, maxPageBytes: 268435456, maxRunSeconds: 21600 },
};

const settings: RenderSettings = {
  image: `registry.example.org/geoportal/harvester@sha256:${"ab".repeat(32)}`,
  imagePullSecrets: [],
  bundleName: "harvest-policy-0123456789",
  databaseSecret: "harvest-database",
  serviceAccount: "harvest-pod",
  resources: {
    requests: { cpu: "100m", memory: "256Mi" },
    limits: { cpu: "1", memory: "1Gi" },
  },
  nodeSelector: {},
  databaseCidrs: [],
  databasePort: 5432,
};

const digest = "0123456789abcdef".repeat(4);

export function liveSource(
  changes: Partial<HarvestSourceSpec> = {},
  metadata: Partial<LiveSource["metadata"]> = {},
): LiveSource {
  return {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: {
      name: "state",
      namespace: "harvest",
      uid: "6f1c2d3e-4b5a-4978-8a6b-0c1d2e3f4a5b",
      resourceVersion: "4711",
      generation: 3,
      ...metadata,
    },
    spec: { ...spec, ...changes },
  };
}

export function renderInput(changes: Partial<RenderInput> = {}): RenderInput {
  return {
    source: liveSource(),
    bundle: { name: settings.bundleName, digest },
    settings,
    suspended: false,
    ...changes,
  };
}

/** Every secret; the schedule goes past midnight by its spread. */
const fullSpec: Partial<HarvestSourceSpec> = {
  baseUrl: "https://metadata.state.example.gov:8443/oai?db=water",
  sets: ["water", "stra\u00dfen", "geo:\u{1f30d}"],
  schedule: "50 23 * * MON",
  timeZone: "America/Chicago",
  scheduleSpreadMinutes: 30,
  deletions: { ...spec.deletions, onSourceRemoval: "withdraw" },
  concurrency: { ...spec.concurrency, maxRequests: 4, requestsPerSecond: 0.5 },
  validation: {
    xsd: ["schemas/gmd.xsd", "schemas/gmi.xsd"],
    schematron: "rules/geo.sch",
    onFailure: "quarantine",
  },
  transport: {
    ...spec.transport,
    mtls: true,
    clientCertificate: { secretName: "client.state.example.gov" },
    caSecretName: "state-authority",
    headersSecretName: "state-headers",
    allowedRedirectOrigins: ["https://mirror.example.gov", "http://mirror.example.gov:8080"],
  },
  limits: { ...spec.limits, maxRunSeconds: 3600 },
};

/** A name of 44 characters, everything set, and marks of delivery tools that must not be copied. */
export function fullInput(): RenderInput {
  const source = liveSource(fullSpec, {
    name: "metadata-clearinghouse.of-the-state.of-texas",
    labels: { "app.kubernetes.io/instance": "geo", "kustomize.toolkit.fluxcd.io/name": "geo" },
    annotations: { "argocd.argoproj.io/tracking-id": "geo:x", "ingest.geoportal.io/paused": "server move" },
  });
  return renderInput({
    source,
    suspended: true,
    settings: {
      ...settings,
      imagePullPolicy: "IfNotPresent",
      imagePullSecrets: ["registry"],
      contact: "geo$(HOME)@example.org",
      priorityClassName: "harvest",
      nodeSelector: { "kubernetes.io/os": "linux" },
      databaseCidrs: ["10.20.0.0/16", "fd12:3456::/32"],
      databasePort: 6432,
    },
  });
}
