import type { SourceChange } from "./source-change.js";

/** How people call these fields. Any other is called by its last name. */
const SHORT: Readonly<Record<string, string>> = {
  "spec.baseUrl": "address",
  "spec.metadataPrefix": "prefix",
  "spec.timeZone": "time zone",
  "spec.scheduleSpreadMinutes": "spread",
  "spec.concurrency.maxRequests": "concurrency",
  "spec.concurrency.requestsPerSecond": "rate limit",
  "spec.concurrency.respectRetryAfter": "Retry-After",
  "spec.delta.mode": "mode",
  "spec.delta.maxWindowDays": "window",
  "spec.deletions.maxPercent": "removal guard",
  "spec.deletions.minRecords": "removal guard",
  "spec.deletions.policy": "deletions",
  "spec.transport.minTlsVersion": "TLS floor",
  "spec.delta.overlapSeconds": "overlap",
  "spec.deletions.onSourceRemoval": "fate of its records",
  "spec.deletions.sweepIntervalHours": "sweeps",
  "spec.backoff.initialMs": "retries",
  "spec.backoff.maxMs": "retries",
  "spec.backoff.jitter": "retries",
  "spec.backoff.maxAttempts": "retries",
  "spec.token.cacheTtlSeconds": "tokens",
  "spec.token.alsoSendPrefix": "tokens",
  "spec.validation.xsd": "schemas",
  "spec.validation.schematron": "rules",
  "spec.validation.onFailure": "what a refusal does",
  "spec.suspend": "pause",
  "spec.transport.mtls": "client certificate",
  "spec.transport.clientCertificate.secretName": "client certificate",
  "spec.transport.caSecretName": "authority",
  "spec.transport.headersSecretName": "secret headers",
  "spec.transport.proxyUrl": "proxy",
  "spec.transport.allowPrivateNetwork": "private network",
  "spec.transport.allowedRedirectOrigins": "redirects",
  "spec.limits.maxRecordBytes": "size limits",
  "spec.limits.maxPageBytes": "size limits",
  "spec.limits.maxRunSeconds": "run time",
  "metadata.name": "name",
  "metadata.namespace": "namespace",
};

/** Short words for what becomes of a source, in the order of its fields, then its policy files. */
export function whatChanges(change: SourceChange, ceiling: boolean): readonly string[] {
  const files = change.files.map(({ path }) => path);
  const host = ceiling ? ["ceiling of the host"] : [];
  if (change.kind === "added" || change.kind === "removed") return [change.kind, ...files, ...host];
  const fields = change.fields.map(({ field }) => wordFor(field));
  const moved = change.movedFrom === undefined ? [] : ["file"];
  return [...new Set([...fields, ...files, ...moved, ...host])];
}

function wordFor(field: string): string {
  // Items of a list or a long set count as their field.
  const short = SHORT[field.replace(/\[.*$/s, "")];
  if (short !== undefined) return short;
  if (field.startsWith("spec.transport.timeouts")) return "timeouts";
  if (field.startsWith("metadata.labels")) return "labels";
  if (field.startsWith("metadata.annotations")) return "annotations";
  const last = field.slice(field.lastIndexOf(".") + 1);
  return last.replace(/\[.*$/s, "");
}
